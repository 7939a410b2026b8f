package main

// #include "exports.h"
import "C"

import (
	"github.com/sluice-engine/sluice/capi/internal/devices"
	"github.com/sluice-engine/sluice/core"
)

// machine is the machine of the process. It holds the management library after the first search; a C interface can keep
// it only in a global.
var machine = devices.NewMachine()

//export go_devices
func go_devices(facts *C.sluice_devices_facts, e *C.sluice_error) (status C.sluice_status) {
	const call = "sluice_devices"
	defer recovered(&status, e)
	if facts == nil {
		return fail(e, missing(call, "facts"))
	}
	if err := checkSize(call, "facts", facts.struct_size, C.SLUICE_FIRST_DEVICES_FACTS); err != nil {
		return fail(e, err)
	}
	d := machine.Driver()
	own := C.sluice_devices_facts{
		n_devices: C.uint32_t(d.Devices), cuda_major: C.uint32_t(d.CUDAMajor), cuda_minor: C.uint32_t(d.CUDAMinor),
	}
	copyText(own.driver[:], d.Version)
	copyText(own.reason[:], d.Reason)
	output(facts, &own, facts.struct_size)
	return C.SLUICE_OK
}

//export go_device_info
func go_device_info(index C.uint32_t, facts *C.sluice_device_facts, e *C.sluice_error) (status C.sluice_status) {
	const call = "sluice_device_info"
	defer recovered(&status, e)
	if facts == nil {
		return fail(e, missing(call, "facts"))
	}
	if err := checkSize(call, "facts", facts.struct_size, C.SLUICE_FIRST_DEVICE_FACTS); err != nil {
		return fail(e, err)
	}
	if n := machine.Driver().Devices; uint64(index) >= uint64(n) {
		return fail(e, core.Errorf(core.CodeArgument, call,
			"index is %d, this machine has %d devices: see sluice_devices", index, n))
	}
	d, err := machine.Device(int(index))
	if err != nil {
		return fail(e, core.Errorf(core.CodeDevice, call, "device %d does not answer: %v", index, err))
	}
	own := C.sluice_device_facts{
		compute_major: C.uint32_t(d.ComputeMajor), compute_minor: C.uint32_t(d.ComputeMinor),
		compute_percent: percent(d.ComputePercent), memory_percent: percent(d.MemoryPercent),
		memory_total: C.uint64_t(d.MemoryTotal), memory_free: C.uint64_t(d.MemoryFree),
	}
	copyText(own.name[:], d.Name)
	copyText(own.uuid[:], d.UUID)
	copyText(own.bus[:], d.Bus)
	output(facts, &own, facts.struct_size)
	return C.SLUICE_OK
}

// percent converts a share for C.
func percent(p int) C.uint32_t {
	if p == devices.Unknown {
		return C.SLUICE_UNKNOWN
	}
	return C.uint32_t(p)
}
