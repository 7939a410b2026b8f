/* devices.c: sluice_devices and sluice_device_info.
 *
 *   devices          prints what this machine has, and checks that it is plausible, with or without a driver
 *   devices fake     checks the answers of fake_nvml.c */
#include "../c/support.h"

static sluice_devices_facts machine(void) {
  sluice_devices_facts facts = {.struct_size = sizeof facts};
  CHECK_STATUS(SLUICE_OK, sluice_devices(&facts, &error));
  return facts;
}

static void fake(void) {
  sluice_devices_facts facts = machine();
  CHECK(facts.n_devices == 2 && facts.cuda_major == 12 && facts.cuda_minor == 2);
  CHECK(strcmp(facts.driver, "535.104.05") == 0 && facts.reason[0] == 0);
  sluice_device_facts gpu = {.struct_size = sizeof gpu};
  CHECK_STATUS(SLUICE_OK, sluice_device_info(0, &gpu, &error));
  CHECK(strcmp(gpu.name, "Test GPU") == 0 && strcmp(gpu.bus, "00000000:3B:00.0") == 0);
  CHECK(strcmp(gpu.uuid, "GPU-00000000-0000-0000-0000-000000000001") == 0);
  CHECK(gpu.compute_major == 9 && gpu.compute_minor == 0);
  CHECK(gpu.memory_total == UINT64_C(80) << 30 && gpu.memory_free == UINT64_C(60) << 30);
  CHECK(gpu.compute_percent == SLUICE_UNKNOWN && gpu.memory_percent == SLUICE_UNKNOWN);
  CHECK_STATUS(SLUICE_E_DEVICE, sluice_device_info(1, &gpu, &error));
  CHECK(strstr(error.message, "GPU is lost") != NULL);
}

int main(int argc, char **argv) {
  if (argc > 1 && strcmp(argv[1], "fake") == 0) {
    fake();
    return 0;
  }
  sluice_devices_facts facts = machine();
  CHECK((facts.n_devices == 0) == (facts.reason[0] != 0));
  if (facts.n_devices == 0) {
    printf("no device: %s\n", facts.reason);
  }
  sluice_device_facts gpu = {.struct_size = sizeof gpu};
  for (uint32_t i = 0; i < facts.n_devices; i++) {
    CHECK_STATUS(SLUICE_OK, sluice_device_info(i, &gpu, &error));
    CHECK(gpu.name[0] != 0 && gpu.compute_major > 0 && gpu.memory_free <= gpu.memory_total);
    printf("%u: %s, %s, %s, compute capability %u.%u, %llu MiB of %llu free, driver %s (CUDA %u.%u)\n", i, gpu.name,
           gpu.uuid, gpu.bus, gpu.compute_major, gpu.compute_minor, (unsigned long long)gpu.memory_free >> 20,
           (unsigned long long)gpu.memory_total >> 20, facts.driver, facts.cuda_major, facts.cuda_minor);
  }
  CHECK_STATUS(SLUICE_E_ARGUMENT, sluice_device_info(facts.n_devices, &gpu, &error));
  CHECK_STATUS(SLUICE_E_ARGUMENT, sluice_device_info(0, NULL, &error));
  CHECK_STATUS(SLUICE_E_ARGUMENT, sluice_devices(NULL, &error));
  facts.struct_size = 8;
  CHECK_STATUS(SLUICE_E_ARGUMENT, sluice_devices(&facts, &error));
  return 0;
}
