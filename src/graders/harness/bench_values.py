"""Plain values as lines of text and back, between the process that checks and the one that holds the solution.

Only data: no object of the other process takes part in a comparison here. Nothing is evaluated or unpickled.
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

LONGEST_LINE = 32 * 1024 * 1024
SEQUENCES = {"list": list, "tuple": tuple, "set": set, "frozenset": frozenset}


class NotUnderstood(Exception):
    """The other process sent what no honest one sends."""


class Foreign:
    """Stands for a value that is no plain data; equal to itself alone."""

    def __init__(self, text):
        self.text = text

    def __repr__(self):
        return self.text


class Channel:
    """Lines over standard input and output; whatever else is printed goes to standard error."""

    def __init__(self):
        self.input, self.output, self.rest = dup(0), dup(1), b""
        dup2(2, 1)

    def read(self):
        """The next line; None when the other process has ended."""
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
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, str):
        return quote(str(value))
    if isinstance(value, int):
        return '["int","%x"]' % value
    if isinstance(value, float):
        return '["float","%s"]' % float(value).hex()
    if isinstance(value, complex):
        return '["complex",%s,%s]' % (encode(value.real), encode(value.imag))
    if isinstance(value, (bytes, bytearray)):
        return '["bytes","%s"]' % bytes(value).hex()
    if isinstance(value, range):
        return tagged("range", [value.start, value.stop, value.step])
    if isinstance(value, dict):
        return tagged("dict", [item for pair in value.items() for item in pair])
    for name, kind in SEQUENCES.items():
        if isinstance(value, kind):
            return tagged(name, value)
    return '["foreign",%s]' % quote(repr(value)[:200])


def tagged(name, items):
    return "[%s]" % ",".join([quote(name), *map(encode, items)])


def decode(line):
    """The value of a line; raises NotUnderstood."""
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
    if name in SEQUENCES:
        return SEQUENCES[name](map(build, items))
    if name == "dict":
        built = list(map(build, items))
        return dict(zip(built[::2], built[1::2]))
    return BUILDERS[name](*items)


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
