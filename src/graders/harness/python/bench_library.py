"""Sends values of Python's library: each is taken apart into plain values and built anew in the other process.

The list is closed and names exact types: an instance of a class of the solution that extends one is sent as the built-in type below
it, or as a value that equals only itself. No part is evaluated, and nothing is imported that the list does not name.
"""
import sys
from keyword import iskeyword

from bench_kinds import KINDS, exact, import_class, is_name
from bench_values import tagged

# Each kind of named tuple is a new class; more arrive as tuples.
MOST_NAMED_TUPLES = 200
named_tuples = {}


def encode_library(value, kind):
    """Returns JSON of a value of the list, or of a named tuple; None of any other."""
    if issubclass(kind, tuple):
        return encode_named_tuple(value, kind)
    if kind.__module__ == "numpy":
        from bench_numpy import encode_numpy

        return encode_numpy(value, kind)
    name = name_of(kind)
    parts = KINDS[name][0](value) if name in KINDS else None
    return None if parts is None else tagged(name, parts)


def name_of(kind):
    """Returns module and name of a class; None if it only has the name of a class of the library."""
    # Python 3.13 keeps its paths in another module.
    module = str(kind.__module__).replace("pathlib._local", "pathlib")
    if module != "builtins" and getattr(sys.modules.get(module), kind.__name__, None) is not kind:
        return None
    return "%s.%s" % (module, kind.__name__)


def build_library(name, *parts):
    """Returns a value of the list; raises an exception if its parts do not fit."""
    if name == "namedtuple":
        return build_named_tuple(*parts)
    if name.startswith("numpy."):
        from bench_numpy import build_numpy

        return build_numpy(name, *parts)
    return KINDS[name][1](*parts)


def encode_named_tuple(value, kind):
    for base in kind.__mro__:
        fields = vars(base).get("_fields")
        if base.__bases__ == (tuple,) and type(fields) is tuple and len(fields) == tuple.__len__(value):
            if are_fields(base.__name__, fields):
                return tagged("namedtuple", [base.__name__, fields, *tuple.__iter__(value)])
    return None


def build_named_tuple(name, fields, *items):
    known = (name, *exact(fields, tuple))
    if not are_fields(name, fields) or len(fields) != len(items):
        raise ValueError
    if known not in named_tuples and len(named_tuples) < MOST_NAMED_TUPLES:
        named_tuples[known] = import_class("collections.namedtuple")(name, fields)
    return named_tuples[known](*items) if known in named_tuples else items


def are_fields(name, fields):
    """Whether a named tuple can have these names."""
    names = [name, *fields]
    plain = all(map(is_name, names)) and not any(map(iskeyword, names))
    return plain and len(set(fields)) == len(fields) and not any(field.startswith("_") for field in fields)


def take_back_library(mine, theirs):
    """Updates a value in place to its state after the call; both have the same type."""
    kind = type(mine).__name__
    if kind == "deque":
        mine.clear()
        mine.extend(theirs)
    elif kind in ("UserList", "UserDict"):
        mine.data = theirs.data
    elif kind != "ndarray":
        mine[:] = theirs
    elif (mine.shape, mine.dtype) == (theirs.shape, theirs.dtype):
        mine[...] = theirs
