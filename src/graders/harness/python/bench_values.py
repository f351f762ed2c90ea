"""Encodes and decodes plain values as lines of text, between the checking process and the solution's process.

Only data is sent: no object of the other process takes part in a comparison. Nothing is evaluated or unpickled.
"""
try:
    from posix import dup, dup2, read, write
except ImportError:  # Windows
    from nt import dup, dup2, read, write
try:
    from _json import encode_basestring_ascii as quote, make_scanner
except ImportError:  # another implementation of Python
    from json.encoder import encode_basestring_ascii as quote
    from json.scanner import py_make_scanner as make_scanner
try:
    from _collections import OrderedDict
except ImportError:
    from collections import OrderedDict

LONGEST_LINE = 32 * 1024 * 1024
SEQUENCES = {"list": list, "tuple": tuple, "set": set, "frozenset": frozenset}


class NotUnderstood(Exception):
    """The other process sent something that an honest one never sends."""


class Foreign:
    """Stands for a value that is not plain data; it is equal only to itself."""

    def __init__(self, text):
        self.text = text

    def __repr__(self):
        return self.text


class Channel:
    """Lines over standard input and output; all other output goes to standard error."""

    def __init__(self):
        self.input, self.output, self.rest = dup(0), dup(1), b""
        dup2(2, 1)

    def read(self):
        """Returns the next line; None if the other process has ended."""
        parts, size = [self.rest], 0
        while b"\n" not in parts[-1]:
            chunk = read(self.input, 65536)
            size += len(chunk)
            if not chunk:
                return None
            if size > LONGEST_LINE:
                raise NotUnderstood("sent a line without an end")
            parts.append(chunk)
        line, _, self.rest = b"".join(parts).partition(b"\n")
        return line.decode("ascii", "replace")

    def write(self, line):
        rest = line.encode("ascii") + b"\n"
        while rest:
            rest = rest[write(self.output, rest):]


def encode(value):
    """Returns JSON of a value. A subclass of a built-in type is sent as that type, without calling its overrides."""
    kind = type(value)
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
        return '["bytes","%s"]' % bytearray.hex(value)
    if kind is range:
        return tagged("range", [value.start, value.stop, value.step])
    if issubclass(kind, dict):
        # Only OrderedDict's own method gives its order.
        items = (OrderedDict if issubclass(kind, OrderedDict) else dict).items(value)
        return tagged("dict", [part for pair in items for part in pair])
    for name, base in SEQUENCES.items():
        if issubclass(kind, base):
            return tagged(name, base.__iter__(value))
    return '["foreign",%s]' % quote(text_of(value))


def tagged(name, items):
    return "[%s]" % ",".join([quote(name), *map(encode, items)])


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
    built = map(build, items)
    if name in ("set", "frozenset"):
        return SEQUENCES[name](map(hashable, built))
    if name in SEQUENCES:
        return SEQUENCES[name](built)
    if name == "dict":
        return {hashable(key): value for key, value in zip(built, built)}
    return BUILDERS[name](*items)


def hashable(value):
    """Returns a value that can be a key. A subclass of list may be hashable, its decoded list is not: it becomes a Foreign."""
    try:
        hash(value)
        return value
    except TypeError:
        return Foreign(repr(value))


BUILDERS = {
    "int": lambda text: int(text, 16),
    "float": float.fromhex,
    "complex": lambda real, imag: complex(build(real), build(imag)),
    "bytes": bytes.fromhex,
    "range": lambda *items: range(*map(build, items)),
    "foreign": lambda text: Foreign(str(text)),
}


def refuse(text):
    raise ValueError(text)


class Syntax:
    strict, object_hook, object_pairs_hook, memo = True, refuse, refuse, {}
    parse_float = parse_int = parse_constant = staticmethod(refuse)


scan = make_scanner(Syntax)
