"""C for controllers: a robot's quantities as functions that need nothing but <math.h>."""
