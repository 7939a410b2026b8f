package main

// #include "exports.h"
import "C"

import (
	"unsafe"

	"github.com/sluice-engine/sluice/capi/internal/devices"
	"github.com/sluice-engine/sluice/core"
)

// machine is the one that the process runs on. It holds what a C interface has no place for: the management library, once
// it was found.
var machine = devices.NewMachine()

//export go_devices
func go_devices(facts *C.sluice_devices_facts, e *C.sluice_error) (status C.sluice_status) {
	const call = "sluice_devices"
	defer recovered(&status, e)
	if facts == nil {
		return fail(e, missing(call, "facts"))
	}
	if err := checkSize(call, "facts", facts.struct_size, unsafe.Sizeof(*facts)); err != nil {
		return fail(e, err)
	}
	d := machine.Driver()
	facts.n_devices = C.uint32_t(d.Devices)
	facts.cuda_major, facts.cuda_minor = C.uint32_t(d.CUDAMajor), C.uint32_t(d.CUDAMinor)
	copyText(facts.driver[:], d.Version)
	copyText(facts.reason[:], d.Reason)
	return C.SLUICE_OK
}

//export go_device_info
func go_device_info(index C.uint32_t, facts *C.sluice_device_facts, e *C.sluice_error) (status C.sluice_status) {
	const call = "sluice_device_info"
	defer recovered(&status, e)
	if facts == nil {
		return fail(e, missing(call, "facts"))
	}
	if err := checkSize(call, "facts", facts.struct_size, unsafe.Sizeof(*facts)); err != nil {
		return fail(e, err)
	}
	if n := machine.Driver().Devices; uint64(index) >= uint64(n) {
		return fail(e, core.Errorf(core.CodeArgument, call, "index is %d, this machine has %d devices: see sluice_devices", index, n))
	}
	d, err := machine.Device(int(index))
	if err != nil {
		return fail(e, core.Errorf(core.CodeDevice, call, "device %d does not answer: %v", index, err))
	}
	facts.compute_major, facts.compute_minor = C.uint32_t(d.ComputeMajor), C.uint32_t(d.ComputeMinor)
	facts.compute_percent, facts.memory_percent = percent(d.ComputePercent), percent(d.MemoryPercent)
	facts.memory_total, facts.memory_free = C.uint64_t(d.MemoryTotal), C.uint64_t(d.MemoryFree)
	copyText(facts.name[:], d.Name)
	copyText(facts.uuid[:], d.UUID)
	copyText(facts.bus[:], d.Bus)
	return C.SLUICE_OK
}

// percent is a share as C has it.
func percent(p int) C.uint32_t {
	if p == devices.Unknown {
		return C.SLUICE_UNKNOWN
	}
	return C.uint32_t(p)
}
