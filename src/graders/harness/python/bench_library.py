"""Sends values of Python's library: each is taken apart into plain values and built anew in the other process.

The list is closed and names exact types: an instance of a class of the solution that extends one is sent as the built-in type below
it, or as a value that equals only itself. No part is evaluated, and nothing is imported that the list does not name.
"""
from keyword import iskeyword

import bench_values
from bench_kinds import KINDS, exact, import_class, is_name, name_of
from bench_objects import begin_object, build_member, fill_object, take_object_apart, take_object_back
from bench_streams import encode_stream, receive, receive_function, sent_before

# Each kind of named tuple is a new class; more arrive as tuples.
MOST_NAMED_TUPLES = 200
named_tuples = {}


def take_library_apart(value, kind):
    """Returns name and parts of a value of the list, of a named tuple or of what bench_objects has; None of any other."""
    if kind.__module__ == "numpy":
        from bench_numpy import take_numpy_apart

        return take_numpy_apart(value, kind)
    name = name_of(kind)
    parts = KINDS[name][0](value) if name in KINDS else None
    if parts is not None:
        return name, parts
    apart = take_object_apart(value, kind, name)
    return take_named_tuple_apart(value, kind) if apart is None and issubclass(kind, tuple) else apart


def build_library(name, *parts):
    """Returns a value of the list; raises an exception if its parts do not fit."""
    if name in BUILDERS:
        return BUILDERS[name](*parts)
    if name.startswith("numpy."):
        from bench_numpy import build_numpy

        return build_numpy(name, *parts)
    return KINDS[name][1](*parts)


def take_named_tuple_apart(value, kind):
    for base in kind.__mro__:
        fields = vars(base).get("_fields")
        if base.__bases__ == (tuple,) and type(fields) is tuple and len(fields) == tuple.__len__(value):
            if are_fields(base.__name__, fields):
                return "namedtuple", [base.__name__, fields, *tuple.__iter__(value)]
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
    """Gives a value the contents of another one of its type, if it can change."""
    kind = type(mine).__name__
    if kind == "deque":
        mine.clear()
        mine.extend(theirs)
    elif kind in ("UserList", "UserDict"):
        mine.data = theirs.data
    elif kind in ("bytearray", "array"):
        mine[:] = theirs
    elif kind == "ndarray" and (mine.shape, mine.dtype) == (theirs.shape, theirs.dtype):
        mine[...] = theirs
    elif kind == "SimpleNamespace":
        vars(mine).clear()
        vars(mine).update(vars(theirs))
    elif kind not in ("function", "generator"):
        take_object_back(mine, theirs)


BUILDERS = {
    "namedtuple": build_named_tuple,
    "enum": build_member,
    "stream": receive,
    "function": receive_function,
    "returned": sent_before,
}
bench_values.beyond.update(
    {
        "take apart": take_library_apart,
        "build": build_library,
        "take back": take_back_library,
        "begin object": begin_object,
        "fill object": fill_object,
        "encode stream": encode_stream,
    }
)
