"""The kernels: integers and records only. They import numpy and numba and nothing of ours above them."""
