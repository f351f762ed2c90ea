"""Encodes and decodes plain values as lines of text, between the checking process and the solution's process.

Only data is sent: no object of the other process takes part in a comparison. Nothing is evaluated or unpickled. Types of Python's
library are in bench_library, iterators in bench_streams: both are imported when the first such value is sent.
"""
try:
    from _json import encode_basestring_ascii as quote, make_scanner
except ImportError:  # another implementation of Python
    from json.encoder import encode_basestring_ascii as quote
    from json.scanner import py_make_scanner as make_scanner

SEQUENCES = {"list": list, "tuple": tuple, "set": set, "frozenset": frozenset}
PLAIN = {type(None), bool, str, int, float, complex, bytes, bytearray, range, dict, *SEQUENCES.values()}

UNKNOWN = "sent an answer that cannot be understood"

# The names of the kinds that have arrived as a Foreign since the list was emptied.
foreign_kinds = []


class NotUnderstood(Exception):
    """The other process sent something that an honest one never sends."""


class Foreign:
    """Stands for a value that is not plain data; it is equal only to itself."""

    def __init__(self, text):
        self.text = text

    def __repr__(self):
        return self.text


def encode(value):
    """Returns JSON of a value. A subclass of a built-in type is sent as that type, without calling its overrides."""
    kind = type(value)
    if kind not in PLAIN:
        from bench_library import encode_library

        sent = encode_library(value, kind)
        if sent is not None:
            return sent
    if value is None or kind is bool:
        return {None: "null", True: "true", False: "false"}[value]
    if issubclass(kind, str):
        return quote(str.__str__(value))
    if issubclass(kind, int):
        return '["int","%s"]' % int.__format__(value, "x")
    if issubclass(kind, float):
        return '["float","%s"]' % float.hex(value)
    if issubclass(kind, complex):
        plain = complex.__pos__(value)
        return '["complex",%s,%s]' % (encode(plain.real), encode(plain.imag))
    if issubclass(kind, bytes):
        return '["bytes","%s"]' % bytes.hex(value)
    if issubclass(kind, bytearray):
        return '["bytearray","%s"]' % bytearray.hex(value)
    if kind is range:
        return tagged("range", [value.start, value.stop, value.step])
    if issubclass(kind, dict):
        return tagged("dict", pairs_of((dict if kind is dict else owner_of(kind)).items(value)))
    for name, base in SEQUENCES.items():
        if issubclass(kind, base):
            return tagged(name, base.__iter__(value))
    if hasattr(kind, "__next__"):
        from bench_streams import encode_stream

        return encode_stream(value)
    return '["foreign",%s,%s]' % (quote(text_of(value)), quote(kind.__name__[:100]))


def tagged(name, items):
    return "[%s]" % ",".join([quote(name), *map(encode, items)])


def pairs_of(items):
    return [part for pair in items for part in pair]


def owner_of(kind):
    """Returns the class whose items a dictionary has: only OrderedDict's own method gives its order."""
    from collections import OrderedDict

    return OrderedDict if issubclass(kind, OrderedDict) else dict


def text_of(value):
    try:
        return repr(value)[:200]
    except BaseException:
        return "an object of %s" % type(value)


def decode(line):
    """Returns the value of a line; raises NotUnderstood."""
    try:
        json, end = scan(line, 0)
        if end != len(line):
            raise ValueError
        return build(json)
    except Exception:
        raise NotUnderstood("sent a line that cannot be understood") from None


def build(json):
    if json is None or isinstance(json, (bool, str)):
        return json
    name, *items = json
    if name in BUILDERS:
        return BUILDERS[name](*items)
    built = map(build, items)
    if name in ("set", "frozenset"):
        return SEQUENCES[name](map(hashable, built))
    if name in SEQUENCES:
        return SEQUENCES[name](built)
    if name == "dict":
        return dict_of(built)
    from bench_library import build_library

    return build_library(name, *built)


def dict_of(parts):
    """Returns a dictionary of keys and values in turn."""
    parts = iter(parts)
    return {hashable(key): value for key, value in zip(parts, parts)}


def hashable(value):
    """Returns a value that can be a key. A subclass of list may be hashable, its decoded list is not: it becomes a Foreign."""
    try:
        hash(value)
        return value
    except TypeError:
        return Foreign(repr(value))


def build_foreign(text, kind):
    foreign_kinds.append(str(kind)[:100])
    return Foreign(str(text))


def build_stream(*parts):
    from bench_streams import receive

    return receive(*map(build, parts))


def build_returned(number):
    from bench_streams import sent_before

    return sent_before(build(number))


BUILDERS = {
    "int": lambda text: int(text, 16),
    "float": float.fromhex,
    "complex": lambda real, imag: complex(build(real), build(imag)),
    "bytes": bytes.fromhex,
    "bytearray": bytearray.fromhex,
    "range": lambda *items: range(*map(build, items)),
    "stream": build_stream,
    "returned": build_returned,
    "foreign": build_foreign,
}


def refuse(text):
    raise ValueError(text)


class Syntax:
    strict, object_hook, object_pairs_hook, memo = True, refuse, refuse, {}
    parse_float = parse_int = parse_constant = staticmethod(refuse)


scan = make_scanner(Syntax)
