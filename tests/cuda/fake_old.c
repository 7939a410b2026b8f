/* fake_old.c: a libcuda.so.1 from before the functions that are needed. */
int cuInit(unsigned flags);
int cuInit(unsigned flags) { return (int)flags; }
