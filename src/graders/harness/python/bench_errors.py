"""Sends exceptions. One of a class of the list is built anew from its arguments, if they are plain values.

An exception of any other class arrives as its nearest class of the list, under its own name. No method and no attribute of a class of
the solution is sent.
"""
import builtins

from bench_report import cut, place_of
from bench_values import UNKNOWN, NotUnderstood, encode

BUILT_IN = {
    kind.__name__: kind for kind in vars(builtins).values() if isinstance(kind, type) and issubclass(kind, BaseException)
}
LIBRARY = {
    "json.decoder.JSONDecodeError",
    "decimal.InvalidOperation",
    "decimal.DivisionByZero",
    "decimal.Overflow",
    "statistics.StatisticsError",
    "dataclasses.FrozenInstanceError",
    "graphlib.CycleError",
    "struct.error",
    "binascii.Error",
    "_csv.Error",
    "_queue.Empty",
    "_queue.Full",
}
LONGEST_ARGUMENTS = 1_000_000


def raised(error, texts):
    """Returns an exception as an answer."""
    kinds = type(error).__mro__
    known = [name_of_error(kind) for kind in kinds]
    own_name = None if known[0] else kinds[0].__name__
    bases = [name for name in known if name]
    return ["raised", own_name, bases, *state_of(error, bases[0]), message_of(error), place_of(error, texts)]


def name_of_error(kind):
    """Returns the name of a class of the list; None of a class that only has such a name."""
    if BUILT_IN.get(kind.__name__) is kind:
        return kind.__name__
    if kind.__module__ == "builtins":
        return None
    from bench_kinds import name_of

    name = name_of(kind)
    return name if name in LIBRARY else None


def class_of(name):
    if name in BUILT_IN:
        return BUILT_IN[name]
    if name not in LIBRARY:
        raise NotUnderstood(UNKNOWN)
    from bench_kinds import import_class

    return import_class(name)


def state_of(error, base):
    """Returns the arguments of an exception, None if they are not plain values, and its attributes as far as they are."""
    kind = class_of(base)
    try:
        arguments = tuple(kind.__reduce__(error)[1])
        arguments = arguments if is_plain(arguments) else None
    except BaseException:
        arguments = None
    named = issubclass(kind, (ImportError, NameError, AttributeError))
    given = {one: getattr(error, one, None) for one in ("name", "path")} if named else {}
    texts = {one: value for one, value in given.items() if type(value) is str}
    return arguments, {**own_attributes(error, kind), **texts}


def own_attributes(error, kind):
    try:
        given = vars(error).items()
        return {name: one for name, one in given if is_own_attribute(kind, name) and is_plain(one)}
    except BaseException:
        return {}


def is_own_attribute(kind, name):
    from bench_kinds import is_name

    return is_name(name) and not name.startswith("_") and name != "place_in_solution" and not hasattr(kind, name)


def is_plain(arguments):
    line = encode(arguments)
    return len(line) <= LONGEST_ARGUMENTS and not any(mark in line for mark in ('["foreign",', '["stream",', '["returned",', '["function",'))


def message_of(error):
    try:
        return cut(str(error))
    except BaseException:
        return ""


def as_exception(*parts):
    """Creates the exception of an answer."""
    if not are_parts(*parts):
        raise NotUnderstood(UNKNOWN)
    own_name, bases, arguments, attributes, message, place = parts
    error = build_error(own_name, list(map(class_of, bases)), arguments, message)
    for one in ("name", "path"):
        if type(attributes.get(one)) is str:
            setattr(error, one, attributes[one])
    for name, value in attributes.items():
        if is_own_attribute(type(error), name):
            setattr(error, name, value)
    error.place_in_solution = place
    return error


def are_parts(own_name=None, bases=(), arguments=None, attributes=None, message=None, place=None, *others):
    texts = [own_name or "", message, place, *(bases if type(bases) is list else [None])]
    known = type(arguments) in (tuple, type(None)) and type(attributes) is dict
    return known and bases and not others and {type(text) for text in texts} == {str}


def build_error(own_name, bases, arguments, message):
    if arguments is not None:
        kind = bases[0] if own_name is None else named(own_name, bases[0], message)
        try:
            return kind(*arguments)
        except Exception:
            pass  # arguments that do not fit; then it has its message alone
    for base in bases:
        kind = named(own_name or bases[0].__name__, base, message)
        try:
            return kind.__new__(kind, message)
        except TypeError:
            pass  # a group of exceptions cannot be without them
    raise NotUnderstood(UNKNOWN)


def named(name, base, message):
    return type(name, (base,), {"__str__": lambda self: message})
