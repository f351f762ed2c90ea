"""Encodes and decodes plain values as lines of text, between the checking process and the solution's process.

Only data is sent: no object of the other process takes part in a comparison. Nothing is evaluated or unpickled. A line is a value, or a
graph: a list of nodes, one for each container and object, which refer to each other by number. So what is shared stays shared, what
contains itself arrives as such, and depth costs no recursion. All other values are those of bench_library, which is imported when the
first such value is sent.
"""
try:
    from _json import encode_basestring_ascii as quote, make_scanner
except ImportError:  # another implementation of Python
    from json.encoder import encode_basestring_ascii as quote
    from json.scanner import py_make_scanner as make_scanner

SEQUENCES = {"list": list, "tuple": tuple, "set": set, "frozenset": frozenset}
NAMES = {kind: name for name, kind in SEQUENCES.items()}
# What can begin empty and be filled later; all else is built from its parts at once.
SHELLS = {"list": list, "dict": dict, "set": set, "object": object}
MAY_CONTAIN_ITSELF = {*SHELLS, "tuple", "frozenset", "namedtuple"}

UNKNOWN = "sent an answer that cannot be understood"

# The names of the kinds that have arrived as a Foreign since the list was emptied.
foreign_kinds = []

# The names of the solution's module or of the check: a class of this process stands for one of the same name of the other.
own = {}

# What sends and builds all other values: bench_library fills it when it is imported, which `reach` does.
beyond, reach = {}, None


class NotUnderstood(Exception):
    """The other process sent something that an honest one never sends."""


class Unbuilt(Exception):
    """A value whose parts are not all built yet."""


class Foreign:
    """Stands for a value that is not plain data; it is equal only to itself. Of an object it has the attributes, and the name of its class."""

    def __init__(self, text, kind=None):
        self._text, self._kind = text, kind

    def __repr__(self):
        return self._text


def encode_float(value):
    return '["float","%s"]' % value.hex()


SCALARS = {
    type(None): lambda value: "null",
    bool: lambda value: "true" if value else "false",
    str: quote,
    int: lambda value: '["int","%x"]' % value,
    float: encode_float,
    complex: lambda value: '["complex",%s,%s]' % (encode_float(value.real), encode_float(value.imag)),
    bytes: lambda value: '["bytes","%s"]' % value.hex(),
    range: lambda value: '["range",["int","%x"],["int","%x"],["int","%x"]]' % (value.start, value.stop, value.step),
}


def encode(value, theirs={}, places=None):
    """Returns the line of a value. `theirs` has the numbers of objects that came from the other process, by identity; `places` gets
    the objects that are sent, by number."""
    return Writer(theirs, {} if places is None else places).write(value)


class Writer:
    def __init__(self, theirs, places):
        self.theirs, self.places = theirs, places
        self.numbers, self.open, self.nodes, self.links = {}, {}, [], []

    def write(self, root):
        stack = []
        head = self.text_of(root, stack)
        while stack:
            number, name, items, texts = stack[-1]
            depth = len(stack)
            for item in items:
                scalar = SCALARS.get(type(item))
                texts.append(scalar(item) if scalar else self.text_of(item, stack))
                if len(stack) > depth:
                    break
            else:
                stack.pop()
                del self.open[number]
                self.nodes.append('["%d",%s]' % (number, ",".join([quote(name), *texts])))
        if not self.nodes:
            return head
        return '["graph",%s,[%s],[%s]]' % (head, ",".join(self.nodes), ",".join(self.links))

    def text_of(self, value, stack):
        """Returns the JSON of a value, or a reference to its node, which it begins."""
        scalar = SCALARS.get(type(value))
        if scalar:
            return scalar(value)
        number = self.numbers.get(id(value))
        if number is None:
            apart = take_apart(value)
            if type(apart) is str:
                return apart
            number = len(self.places)
            # This also keeps the object, whose identity would else be free for another.
            self.places[str(number)] = value
            self.numbers[id(value)] = number
            if id(value) in self.theirs:
                self.links.append('["%d","%s"]' % (number, self.theirs[id(value)]))
            name, items = apart
            self.open[number] = name
            stack.append((number, name, iter(items), []))
        elif number in self.open and self.open[number] not in SHELLS:
            inside = [name for place, name in self.open.items() if place >= number]
            for name in inside:
                if name not in MAY_CONTAIN_ITSELF:
                    raise ValueError("a %s that contains itself cannot be sent to another process" % name.rpartition(".")[2])
        return '["#","%d"]' % number


def take_apart(value):
    """Returns the JSON of a value, or name and parts of a container. A subclass of a built-in type is sent as that type, without calling
    its overrides."""
    kind = type(value)
    if kind in NAMES:
        return NAMES[kind], value
    if kind is not dict and kind is not bytearray:
        apart = other("take apart")(value, kind)
        if apart is not None:
            return apart
    if issubclass(kind, str):
        return quote(str.__str__(value))
    if issubclass(kind, int):
        return '["int","%s"]' % int.__format__(value, "x")
    if issubclass(kind, float):
        return '["float","%s"]' % float.hex(value)
    if issubclass(kind, complex):
        return SCALARS[complex](complex.__pos__(value))
    if issubclass(kind, bytes):
        return '["bytes","%s"]' % bytes.hex(value)
    if issubclass(kind, bytearray):
        return "bytearray", [bytearray.hex(value)]
    if issubclass(kind, dict):
        return "dict", pairs_of((dict if kind is dict else owner_of(kind)).items(value))
    for name, base in SEQUENCES.items():
        if issubclass(kind, base):
            return name, base.__iter__(value)
    if hasattr(kind, "__next__"):
        return other("encode stream")(value)
    return '["foreign",%s,%s]' % (quote(text_of(value)), quote(kind.__name__[:100]))


def other(name):
    if not beyond:
        reach()
    return beyond[name]


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


def decode(line, mine={}, values=None):
    """Returns the value of a line; raises NotUnderstood. `mine` has the objects that this process sent, by number: one that comes back is
    that object, with its new contents. `values` gets the objects of the line by number."""
    try:
        json, end = scan(line, 0)
        if end != len(line):
            raise ValueError
        return Reader(mine, {} if values is None else values).read(json)
    except Exception:
        raise NotUnderstood("sent a line that cannot be understood") from None


class Reader:
    def __init__(self, mine, values):
        self.mine, self.values, self.nodes, self.links = mine, values, {}, {}

    def read(self, json):
        if type(json) is not list or json[0] != "graph":
            return self.part(json)
        _, root, nodes, links = json
        self.nodes, self.links = {node[0]: node for node in nodes}, dict(links)
        # A list in which something is not built yet contains itself.
        later = [node for node in nodes if not self.build_node(*node)]
        for node in later:
            if not self.build_node(*node):
                raise ValueError
        return self.part(root)

    def build_node(self, number, name, *parts):
        """Builds the value of a node; returns False if its parts are not all built."""
        try:
            if name in SHELLS:
                fill(name, self.at(number), list(map(self.part, parts)))
            else:
                self.values[number] = self.back(number, self.build(name, parts))
            return True
        except Unbuilt:
            return False

    def at(self, number):
        if number in self.values:
            return self.values[number]
        _, name, *parts = self.nodes[number]
        if name not in SHELLS:
            raise Unbuilt
        sent = self.mine.get(self.links.get(number))
        if name == "object":
            self.values[number] = other("begin object")(parts[0], sent)
        else:
            self.values[number] = sent if isinstance(sent, SHELLS[name]) else SHELLS[name]()
        return self.values[number]

    def back(self, number, value):
        """Returns the object that this process sent, if the value is that one."""
        sent = self.mine.get(self.links.get(number))
        if type(sent) is not type(value):
            return value
        take_back(sent, value)
        return sent

    def part(self, json):
        if json is None or isinstance(json, (bool, str)):
            return json
        name, *items = json
        return self.at(*items) if name == "#" else self.build(name, items)

    def build(self, name, items):
        if name in BUILDERS:
            return BUILDERS[name](*items)
        parts = map(self.part, items)
        if name in ("set", "frozenset"):
            return SEQUENCES[name](map(hashable, parts))
        if name in SEQUENCES:
            return SEQUENCES[name](parts)
        if name == "dict":
            return dict_of(parts)
        return other("build")(name, *parts)


def fill(name, shell, parts):
    if name == "list":
        shell[:] = parts
    elif name == "object":
        other("fill object")(shell, *parts)
    else:
        shell.clear()
        shell.update(dict_of(parts) if name == "dict" else map(hashable, parts))


def take_back(mine, theirs):
    """Gives a value the contents of another one of its type."""
    if isinstance(mine, list):
        mine[:] = theirs
    elif isinstance(mine, (dict, set)):
        mine.clear()
        mine.update(theirs)
    elif type(mine) not in SCALARS:
        other("take back")(mine, theirs)


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


def build_number(json):
    name, text = json
    if name != "int":
        raise ValueError
    return int(text, 16)


def build_complex(*parts):
    if [name for name, text in parts] != ["float", "float"]:
        raise ValueError
    return complex(*[float.fromhex(text) for name, text in parts])


BUILDERS = {
    "int": lambda text: int(text, 16),
    "float": float.fromhex,
    "complex": build_complex,
    "bytes": bytes.fromhex,
    "bytearray": bytearray.fromhex,
    "range": lambda *numbers: range(*map(build_number, numbers)),
    "foreign": build_foreign,
}


def refuse(text):
    raise ValueError(text)


class Syntax:
    strict, object_hook, object_pairs_hook, memo = True, refuse, refuse, {}
    parse_float = parse_int = parse_constant = staticmethod(refuse)


scan = make_scanner(Syntax)
