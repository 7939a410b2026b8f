package devices

import (
	"sync"
	"testing"

	"github.com/NVIDIA/go-nvml/pkg/nvml"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// library is a management library that answers as a test wants; calls that it does not know panic.
type library struct {
	nvml.Interface
	init    nvml.Return
	inits   int
	count   int
	counted nvml.Return
	device  nvml.Device
}

func (l *library) Init() nvml.Return { l.inits++; return l.init }

func (l *library) SystemGetDriverVersion() (string, nvml.Return) { return "550.54", nvml.SUCCESS }

func (l *library) SystemGetCudaDriverVersion() (int, nvml.Return) { return 12040, nvml.SUCCESS }

func (l *library) DeviceGetCount() (int, nvml.Return) { return l.count, l.counted }

func (l *library) DeviceGetHandleByIndex(i int) (nvml.Device, nvml.Return) {
	if i >= l.count {
		return nil, nvml.ERROR_INVALID_ARGUMENT
	}
	return l.device, nvml.SUCCESS
}

// gpu is a device that answers all questions, or none.
type gpu struct {
	nvml.Device
	r nvml.Return
}

func (g gpu) GetName() (string, nvml.Return) { return "a GPU", g.r }

func (g gpu) GetUUID() (string, nvml.Return) { return "GPU-1", g.r }

func (g gpu) GetPciInfo() (nvml.PciInfo, nvml.Return) {
	return nvml.PciInfo{BusId: [32]uint8{'0', ':', '1'}}, g.r
}

func (g gpu) GetCudaComputeCapability() (int, int, nvml.Return) { return 8, 6, g.r }

func (g gpu) GetMemoryInfo() (nvml.Memory, nvml.Return) { return nvml.Memory{Total: 7, Free: 5}, g.r }

func (g gpu) GetUtilizationRates() (nvml.Utilization, nvml.Return) {
	return nvml.Utilization{Gpu: 30, Memory: 20}, g.r
}

func machineWith(l *library, there bool) *Machine {
	return &Machine{find: func() (nvml.Interface, bool) { return l, there }}
}

func TestAMachineWithoutADriverIsDescribed(t *testing.T) {
	l := &library{}
	d := machineWith(l, false).Driver()
	assert.Zero(t, d.Devices)
	assert.Empty(t, d.Version)
	assert.Contains(t, d.Reason, "libnvidia-ml")
	assert.Zero(t, l.inits)
	_, err := machineWith(l, false).Device(0)
	assert.ErrorContains(t, err, "libnvidia-ml")
}

func TestWhatADriverRefusesIsAReason(t *testing.T) {
	d := machineWith(&library{init: nvml.ERROR_DRIVER_NOT_LOADED}, true).Driver()
	assert.Contains(t, d.Reason, "nvmlInit")
	d = machineWith(&library{counted: nvml.ERROR_UNKNOWN}, true).Driver()
	assert.Equal(t, "550.54", d.Version)
	assert.Contains(t, d.Reason, "how many")
	d = machineWith(&library{}, true).Driver()
	assert.Contains(t, d.Reason, "no device")
	assert.Equal(t, [2]int{12, 4}, [2]int{d.CUDAMajor, d.CUDAMinor})
}

func TestADriverThatComesLaterIsFound(t *testing.T) {
	l := &library{init: nvml.ERROR_DRIVER_NOT_LOADED}
	m := machineWith(l, true)
	assert.Zero(t, m.Driver().Devices)
	l.init, l.count, l.device = nvml.SUCCESS, 1, gpu{}
	assert.Equal(t, 1, m.Driver().Devices)
	var wait sync.WaitGroup
	for range 4 {
		wait.Go(func() { m.Driver() })
	}
	wait.Wait()
	assert.Equal(t, 2, l.inits, "it is initialised once")
}

func TestADeviceIsDescribed(t *testing.T) {
	m := machineWith(&library{count: 1, device: gpu{}}, true)
	d, err := m.Device(0)
	require.NoError(t, err)
	assert.Equal(t, Device{
		Name: "a GPU", UUID: "GPU-1", Bus: "0:1", ComputeMajor: 8, ComputeMinor: 6,
		MemoryTotal: 7, MemoryFree: 5, ComputePercent: 30, MemoryPercent: 20,
	}, d)
	_, err = m.Device(1)
	assert.ErrorContains(t, err, "DeviceGetHandleByIndex(1)")
}

func TestWhatADeviceDoesNotTellIsUnknown(t *testing.T) {
	d, err := machineWith(&library{count: 1, device: gpu{r: nvml.ERROR_NOT_SUPPORTED}}, true).Device(0)
	require.NoError(t, err)
	assert.Equal(t, Device{ComputePercent: Unknown, MemoryPercent: Unknown}, d)
}

// The real library, or its absence: either way there is an answer.
func TestThisMachine(t *testing.T) {
	m := NewMachine()
	d := m.Driver()
	assert.Equal(t, d.Devices == 0, d.Reason != "", "%+v", d)
	for i := range d.Devices {
		_, err := m.Device(i)
		assert.NoError(t, err)
	}
}
