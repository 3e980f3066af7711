"""The kernels, compiled for one instruction set."""
