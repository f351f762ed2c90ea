"""The list of types of Python's library that are sent: for each, how to take it apart and how to build it from the parts."""
import builtins
import sys

from bench_values import SEQUENCES, dict_of, hashable, pairs_of

NONE = type(None)
# The classes that are values themselves, and that a defaultdict may call.
CLASSES = {
    kind.__name__: kind
    for kind in (bool, int, float, complex, str, bytes, bytearray, range, dict, *SEQUENCES.values(), NONE)
}
ERRORS = {
    kind.__name__: kind for kind in vars(builtins).values() if isinstance(kind, type) and issubclass(kind, BaseException)
}
MEMORY_FORMATS = set("bBhHiIlLqQfd?")


def exact(value, *kinds):
    if type(value) not in kinds:
        raise TypeError
    return value


def import_class(name):
    module, _, attribute = name.rpartition(".")
    return getattr(__import__(module), attribute)


def name_of(kind):
    """Returns module and name of a class; None if it only has the name of a class of the library."""
    # Python 3.13 keeps its paths in another module.
    module = str(kind.__module__).replace("pathlib._local", "pathlib")
    if module != "builtins" and getattr(sys.modules.get(module), kind.__name__, None) is not kind:
        return None
    return "%s.%s" % (module, kind.__name__)


def is_name(text):
    return type(text) is str and text.isascii() and text.isidentifier()


def by_attributes(name, kind, *attributes):
    """A class whose values are built from attributes that have one exact type."""

    def build(*parts):
        if len(parts) != len(attributes):
            raise TypeError
        return import_class(name)(*[exact(part, kind) for part in parts])

    return lambda value: [getattr(value, one) for one in attributes], build


def by_text(name):
    return lambda value: [str(value)], lambda text: import_class(name)(exact(text, str))


def by_data(name, kind):
    return lambda value: [kind(value.data)], lambda data: import_class(name)(exact(data, kind))


def by_pairs(name):
    return parts_of_pairs, lambda *parts: import_class(name)(dict_of(parts))


def parts_of_pairs(value):
    return pairs_of(value.items())


def parts_of_default(value):
    factory = value.default_factory
    known = isinstance(factory, type) and CLASSES.get(factory.__name__) is factory
    return [factory.__name__ if known else None, *parts_of_pairs(value)]


def build_default(factory, *parts):
    return import_class("collections.defaultdict")(CLASSES.get(factory), dict_of(parts))


def build_deque(most, *items):
    return import_class("collections.deque")(items, exact(most, int, NONE))


def build_chain(*maps):
    return import_class("collections.ChainMap")(*[exact(one, dict) for one in maps])


def parts_of_moment(value):
    """The parts of a time, or of a date and time. A time zone is sent as its offset."""
    zone, timezone = value.tzinfo, import_class("datetime.timezone")
    if zone is not None and type(zone) is not timezone:
        offset = value.utcoffset()
        if offset is None:
            return None
        zone = timezone(offset)
    day = (value.year, value.month, value.day) if hasattr(value, "year") else ()
    return [zone, value.fold, *day, value.hour, value.minute, value.second, value.microsecond]


def build_moment(name, size):
    def build(zone, fold, *numbers):
        if len(numbers) != size:
            raise TypeError
        exact(zone, NONE, import_class("datetime.timezone"))
        return import_class(name)(*[exact(one, int) for one in numbers], tzinfo=zone, fold=exact(fold, int))

    return build


def parts_of_zone(value):
    offset, name = value.utcoffset(None), value.tzname(None)
    return [offset] if name == type(value)(offset).tzname(None) else [offset, name]


def build_zone(offset, *name):
    exact(offset, import_class("datetime.timedelta"))
    return import_class("datetime.timezone")(offset, *[exact(one, str) for one in name])


def parts_of_memory(value):
    return [value.format, value.tobytes()] if value.ndim == 1 and value.format in MEMORY_FORMATS else None


def build_memory(code, content):
    if code not in MEMORY_FORMATS:
        raise ValueError
    return memoryview(exact(content, bytes)).cast(code)


def parts_of_namespace(value):
    return parts_of_pairs(vars(value)) if are_attributes(vars(value)) else None


def build_namespace(*parts):
    names = dict_of(parts)
    if not are_attributes(names):
        raise ValueError
    return import_class("types.SimpleNamespace")(**names)


def are_attributes(names):
    return all(is_name(name) and not name.startswith("__") for name in names)


def parts_of_class(value):
    name = value.__name__
    return [name] if CLASSES.get(name) is value or ERRORS.get(name) is value else None


KINDS = {
    "fractions.Fraction": by_attributes("fractions.Fraction", int, "numerator", "denominator"),
    "decimal.Decimal": by_text("decimal.Decimal"),
    "collections.deque": (lambda value: [value.maxlen, *value], build_deque),
    "collections.Counter": by_pairs("collections.Counter"),
    "collections.OrderedDict": by_pairs("collections.OrderedDict"),
    "collections.defaultdict": (parts_of_default, build_default),
    "collections.ChainMap": (lambda value: map(dict, value.maps), build_chain),
    "collections.UserString": by_data("collections.UserString", str),
    "collections.UserList": by_data("collections.UserList", list),
    "collections.UserDict": by_data("collections.UserDict", dict),
    "datetime.date": by_attributes("datetime.date", int, "year", "month", "day"),
    "datetime.datetime": (parts_of_moment, build_moment("datetime.datetime", 7)),
    "datetime.time": (parts_of_moment, build_moment("datetime.time", 4)),
    "datetime.timedelta": by_attributes("datetime.timedelta", int, "days", "seconds", "microseconds"),
    "datetime.timezone": (parts_of_zone, build_zone),
    "uuid.UUID": (lambda value: [value.int], lambda number: import_class("uuid.UUID")(int=exact(number, int))),
    # A path is only a name in the other process, which reads no file that a solution names.
    "pathlib.PurePosixPath": by_text("pathlib.PurePosixPath"),
    "pathlib.PosixPath": by_text("pathlib.PurePosixPath"),
    "pathlib.PureWindowsPath": by_text("pathlib.PureWindowsPath"),
    "pathlib.WindowsPath": by_text("pathlib.PureWindowsPath"),
    "array.array": (
        lambda value: [value.typecode, *value],
        lambda code, *items: import_class("array.array")(exact(code, str), list(items)),
    ),
    "types.SimpleNamespace": (parts_of_namespace, build_namespace),
    "builtins.dict_keys": (list, lambda *keys: dict.fromkeys(map(hashable, keys)).keys()),
    "builtins.dict_values": (list, lambda *items: dict(enumerate(items)).values()),
    "builtins.dict_items": (pairs_of, lambda *parts: dict_of(parts).items()),
    "builtins.mappingproxy": (parts_of_pairs, lambda *parts: type(type.__dict__)(dict_of(parts))),
    "builtins.memoryview": (parts_of_memory, build_memory),
    "builtins.slice": (lambda value: [value.start, value.stop, value.step], lambda *ends: slice(*ends)),
    "builtins.ellipsis": (lambda value: [], lambda: ...),
    "builtins.NotImplementedType": (lambda value: [], lambda: NotImplemented),
    "builtins.type": (parts_of_class, lambda name: ERRORS[name] if name in ERRORS else CLASSES[name]),
}
# The views of an OrderedDict have types of their own.
for view in ("keys", "values", "items"):
    KINDS["builtins.odict_" + view] = KINDS["builtins.dict_" + view]
