/* The smallest user of an installed library. */
#include <sluice.h>
#include <stdio.h>

int main(void) {
  printf("sluice %s, ABI %u\n", sluice_version(), (unsigned)sluice_abi_version());
  return sluice_abi_version() == SLUICE_ABI_VERSION ? 0 : 1;
}
