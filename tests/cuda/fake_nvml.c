/* fake_nvml.c: a libnvidia-ml.so.1 for a machine with two GPUs, the second of which was lost. Like an
 * older driver, it lacks utilisation. */
#include <string.h>

typedef struct device *nvml_device;
typedef struct memory {
  unsigned long long total, free, used;
} memory;
typedef struct pci {
  char legacy[16];
  unsigned domain, bus, device, id, subsystem;
  char bus_id[32];
} pci;

#define NVML(name, ...)  \
  int name(__VA_ARGS__); \
  int name(__VA_ARGS__)

enum { GPU_IS_LOST = 15 };
static const nvml_device first = (nvml_device)8;

NVML(nvmlInit_v2, void) { return 0; }
NVML(nvmlShutdown, void) { return 0; }
const char *nvmlErrorString(int result);
const char *nvmlErrorString(int result) { return result == GPU_IS_LOST ? "GPU is lost" : "error"; }
NVML(nvmlSystemGetDriverVersion, char *version, unsigned length) {
  strncpy(version, "535.104.05", length);
  return 0;
}
NVML(nvmlSystemGetCudaDriverVersion, int *version) {
  *version = 12020;
  return 0;
}
NVML(nvmlDeviceGetCount_v2, unsigned *n) {
  *n = 2;
  return 0;
}
NVML(nvmlDeviceGetHandleByIndex_v2, unsigned index, nvml_device *device) {
  *device = first;
  return index == 0 ? 0 : GPU_IS_LOST;
}
NVML(nvmlDeviceGetName, nvml_device device, char *name, unsigned length) {
  strncpy(name, "Test GPU", length);
  return device == first ? 0 : GPU_IS_LOST;
}
NVML(nvmlDeviceGetUUID, nvml_device device, char *uuid, unsigned length) {
  strncpy(uuid, "GPU-00000000-0000-0000-0000-000000000001", length);
  return device == first ? 0 : GPU_IS_LOST;
}
NVML(nvmlDeviceGetPciInfo_v3, nvml_device device, pci *info) {
  memset(info, 0, sizeof *info);
  strcpy(info->bus_id, "00000000:3B:00.0");
  return device == first ? 0 : GPU_IS_LOST;
}
NVML(nvmlDeviceGetCudaComputeCapability, nvml_device device, int *major, int *minor) {
  *major = 9;
  *minor = 0;
  return device == first ? 0 : GPU_IS_LOST;
}
NVML(nvmlDeviceGetMemoryInfo, nvml_device device, memory *m) {
  *m = (memory){.total = 80ull << 30, .free = 60ull << 30, .used = 20ull << 30};
  return device == first ? 0 : GPU_IS_LOST;
}
