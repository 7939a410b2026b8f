/* bind.h: what Go calls of calls.c. */
#ifndef SLUICE_DEVICES_BIND_H
#define SLUICE_DEVICES_BIND_H

/* nvml_bind looks up libnvidia-ml and its functions. Returns 0 if the library is not there. */
int nvml_bind(void);

#endif /* SLUICE_DEVICES_BIND_H */
