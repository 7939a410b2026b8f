package main

// #include "exports.h"
import "C"

import (
	"encoding/json"
	"runtime"

	"github.com/sluice-engine/sluice/core"
)

// commit names the source of this library; capi/build.sh sets it in the linker.
var commit = "unknown"

// capabilities is the answer of sluice_capabilities: the build of the library, then the tables of the engine.
type capabilities struct {
	Build struct {
		Version string `json:"version"`
		Commit  string `json:"commit"`
		Go      string `json:"go"`
	} `json:"build"`
	core.CapabilityTable
}

//export go_capabilities
func go_capabilities(to *C.char, capacity C.size_t, length *C.size_t, e *C.sluice_error) (status C.sluice_status) {
	const call = "sluice_capabilities"
	defer recovered(&status, e)
	all := capabilities{CapabilityTable: core.Capabilities()}
	all.Build.Version, all.Build.Commit, all.Build.Go = C.SLUICE_VERSION, commit, runtime.Version()
	table, err := json.Marshal(all)
	return putText(call, table, err, to, capacity, length, e)
}
