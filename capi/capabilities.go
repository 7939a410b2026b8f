package main

// #include "exports.h"
import "C"

import (
	"encoding/json"

	"github.com/sluice-engine/sluice/core"
)

//export go_capabilities
func go_capabilities(to *C.char, capacity C.size_t, length *C.size_t, e *C.sluice_error) (status C.sluice_status) {
	const call = "sluice_capabilities"
	defer recovered(&status, e)
	table, err := json.Marshal(core.Capabilities())
	return putText(call, table, err, to, capacity, length, e)
}
