// Package devices describes the NVIDIA GPUs of a machine, through go-nvml.
//
// Invariant: a machine without a driver or GPU is a description and not an error. The package does not know the purpose
// of a device and uses no CUDA, so a description costs no context and no memory on a device.
//
// Start reading at Machine. calls.S explains the detour for the functions of libnvidia-ml.
package devices

/*
#cgo CFLAGS: -std=gnu11 -Wall -Wextra
#cgo linux LDFLAGS: -ldl
#include "bind.h"
*/
import "C"

import (
	"fmt"
	"sync"

	"github.com/NVIDIA/go-nvml/pkg/nvml"
)

// Unknown stands for a number that a device does not report.
const Unknown = -1

// Driver describes the driver, which all devices of a machine share.
type Driver struct {
	Version              string // "" without a driver
	CUDAMajor, CUDAMinor int    // the newest CUDA that it serves
	Devices              int
	Reason               string // why Devices is 0
}

// Device is one GPU. A value that it does not report is zero, or Unknown for a share.
type Device struct {
	Name, UUID, Bus            string
	ComputeMajor, ComputeMinor int
	MemoryTotal, MemoryFree    uint64
	ComputePercent             int
	MemoryPercent              int
}

// Machine queries the management library, which its first call loads. Safe for concurrent use.
type Machine struct {
	mu    sync.Mutex
	find  func() (nvml.Interface, bool)
	found nvml.Interface // nil until it is loaded and initialised
}

// NewMachine describes the machine that the process runs on.
func NewMachine() *Machine {
	return &Machine{find: func() (nvml.Interface, bool) { return nvml.New(), C.nvml_bind() != 0 }}
}

// library returns the initialised management library, or why there is none. It does not remember a failure, because a
// driver may be installed while the process runs. It never shuts the library down: an idle library costs nothing.
func (m *Machine) library() (nvml.Interface, string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.found != nil {
		return m.found, ""
	}
	library, there := m.find()
	if !there {
		return nil, "no NVIDIA driver: libnvidia-ml.so.1 cannot be loaded"
	}
	if r := library.Init(); r != nvml.SUCCESS {
		return nil, fmt.Sprintf("the NVIDIA driver does not answer: nvmlInit: %v (%d)", r, r)
	}
	m.found = library
	return library, ""
}

// Driver returns the machine's driver and the number of its devices.
func (m *Machine) Driver() (d Driver) {
	library, reason := m.library()
	if library == nil {
		d.Reason = reason
		return d
	}
	if version, r := library.SystemGetDriverVersion(); r == nvml.SUCCESS {
		d.Version = version
	}
	if version, r := library.SystemGetCudaDriverVersion(); r == nvml.SUCCESS {
		d.CUDAMajor, d.CUDAMinor = version/1000, version%1000/10
	}
	n, r := library.DeviceGetCount()
	switch {
	case r != nvml.SUCCESS:
		d.Reason = fmt.Sprintf("the NVIDIA driver does not say how many devices there are: %v (%d)", r, r)
	case n == 0:
		d.Reason = "the NVIDIA driver is there and sees no device"
	default:
		d.Devices = n
	}
	return d
}

// Device returns device number index, from 0 to Driver().Devices - 1, as it is now. The error says which function
// failed and how; a device may be lost while the machine runs.
func (m *Machine) Device(index int) (d Device, err error) {
	library, reason := m.library()
	if library == nil {
		return d, fmt.Errorf("%s", reason)
	}
	device, r := library.DeviceGetHandleByIndex(index)
	if r != nvml.SUCCESS {
		return d, fmt.Errorf("nvmlDeviceGetHandleByIndex(%d): %v (%d)", index, r, r)
	}
	d.ComputePercent, d.MemoryPercent = Unknown, Unknown
	if name, r := device.GetName(); r == nvml.SUCCESS {
		d.Name = name
	}
	if uuid, r := device.GetUUID(); r == nvml.SUCCESS {
		d.UUID = uuid
	}
	if pci, r := device.GetPciInfo(); r == nvml.SUCCESS {
		d.Bus = untilZero(pci.BusId[:])
	}
	if major, minor, r := device.GetCudaComputeCapability(); r == nvml.SUCCESS {
		d.ComputeMajor, d.ComputeMinor = major, minor
	}
	if memory, r := device.GetMemoryInfo(); r == nvml.SUCCESS {
		d.MemoryTotal, d.MemoryFree = memory.Total, memory.Free
	}
	if u, r := device.GetUtilizationRates(); r == nvml.SUCCESS {
		d.ComputePercent, d.MemoryPercent = int(u.Gpu), int(u.Memory)
	}
	return d, nil
}

// untilZero returns the C string in an array.
func untilZero(b []byte) string {
	for i, c := range b {
		if c == 0 {
			return string(b[:i])
		}
	}
	return string(b)
}
