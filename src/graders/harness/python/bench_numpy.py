"""Sends arrays and numbers of NumPy, which only tasks have that require it: type, shape and bytes."""
import numpy

from bench_kinds import exact

# Bool, integers, floats, complex numbers, texts, bytes, times. None of them holds an object.
PLAIN_KINDS = "biufcSUmM"


def take_numpy_apart(value, kind):
    """Returns name and parts of an array or a number; None of any other object of NumPy."""
    if kind is numpy.ndarray and value.dtype == object:
        return "numpy.objects", [value.shape, *value.ravel().tolist()]
    is_number = issubclass(kind, numpy.generic) and getattr(numpy, kind.__name__, None) is kind
    if not (kind is numpy.ndarray or is_number) or value.dtype.kind not in PLAIN_KINDS:
        return None
    return "numpy.scalar" if is_number else "numpy.ndarray", [value.dtype.str, value.shape, value.tobytes()]


def build_numpy(name, *parts):
    if name == "numpy.objects":
        shape, *items = parts
        array = numpy.empty(len(items), dtype=object)
        array[:] = items
        return array.reshape(exact(shape, tuple))
    code, shape, content = parts
    dtype = numpy.dtype(exact(code, str))
    size = dtype.itemsize
    for length in exact(shape, tuple):
        size *= exact(length, int)
    if dtype.kind not in PLAIN_KINDS or dtype.str != code or size != len(exact(content, bytes)):
        raise ValueError
    array = numpy.ndarray(shape, dtype, bytearray(content))
    return array if name == "numpy.ndarray" else array[()]
