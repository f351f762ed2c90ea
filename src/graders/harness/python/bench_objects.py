"""Sends functions, members of an Enum, and objects of classes of the solution or the tests.

A function stays in its process: what arrives calls it there. Of an object its attributes are sent. They make an object of the class of the
same name that the other process has itself, with the methods of that one; without such a class, a Foreign. So no method of a solution
comes along.
"""
import sys

import bench_values
from bench_kinds import CLASSES, is_name
from bench_streams import encode_function
from bench_values import Foreign, foreign_kinds, pairs_of

FUNCTIONS = {
    type(take) for take in (is_name, len, [].append, str.upper, [].__len__, str.__len__, is_name.__get__(0))
}
LIBRARY_FUNCTIONS = {
    "functools.partial",
    "functools._lru_cache_wrapper",
    "operator.itemgetter",
    "operator.attrgetter",
    "operator.methodcaller",
}
ENUMS = ("IntEnum", "StrEnum", "IntFlag", "Flag", "Enum")
MOST_MEMBERS = 1000
MODULES = ("solution", "check")
HEAP_TYPE = 1 << 9

# Enums that no class of this process stands for, by what was sent of them.
enums = {}


def take_object_apart(value, kind, name):
    """Returns JSON, or name and parts, of a function, a member of an Enum or an object; None of any other value."""
    if kind in FUNCTIONS or name in LIBRARY_FUNCTIONS:
        return encode_function(value)
    enum = sys.modules.get("enum")
    if enum and issubclass(kind, enum.Enum):
        # With a text of its own, a member that is a text or number is sent as that.
        return None if issubclass(kind, (str, int)) and has_own_text(kind) else take_member_apart(value, kind, enum)
    if kind is Foreign and value._kind is not None:
        return "object", [value._kind, *pairs_of(attributes_of(value, kind).items())]
    if has_attributes(kind) and not hasattr(kind, "__next__"):
        return "object", [kind.__name__, *pairs_of(attributes_of(value, kind).items())]
    return None


def has_attributes(kind):
    """Whether the objects of a class are their attributes: one of the solution or the check, on top of no built-in class and no Enum."""
    is_plain = type(kind) is type or type(kind).__name__ == "ABCMeta"
    return is_plain and kind.__module__ in MODULES and all(base is object or base.__flags__ & HEAP_TYPE for base in kind.__mro__)


def has_own_text(kind):
    # Enums of some versions put the texts of the library into each class.
    own = [vars(base).get(one) for base in kind.__mro__ for one in ("__str__", "__format__")]
    return any(getattr(one, "__module__", None) in MODULES for one in own)


def attributes_of(value, kind):
    names = [one for base in kind.__mro__ for one in names_in(vars(base).get("__slots__", ()))]
    slots = {name: getattr(value, name) for name in names if name != "__dict__" and hasattr(value, name)}
    attributes = {**slots, **getattr(value, "__dict__", {})}
    return {name: one for name, one in attributes.items() if is_attribute(name) and name not in ("_text", "_kind")}


def names_in(slots):
    return (slots,) if type(slots) is str else tuple(slots)


def is_attribute(name):
    return is_name(name) and not (name.startswith("__") and name.endswith("__"))


def own_class(name):
    """Returns the class of the solution's module or of the check with this name; None of what they only import."""
    kind = bench_values.own.get(name)
    return kind if isinstance(kind, type) and kind.__module__ in MODULES else None


def begin_object(name, sent):
    """Returns an object without attributes; `sent` if it is one of that class."""
    if type(name) is not str:
        raise TypeError
    if type(sent).__name__ == name and has_attributes(type(sent)):
        return sent
    kind = own_class(name)
    if kind is not None and has_attributes(kind):
        return object.__new__(kind)
    foreign_kinds.append(name[:100])
    return Foreign("<%s object>" % name[:100], name)


def fill_object(target, name, *parts):
    attributes = {key: one for key, one in zip(parts[::2], parts[1::2]) if may_set(type(target), key)}
    for gone in attributes_of(target, type(target)).keys() - attributes.keys():
        object.__delattr__(target, gone)
    for key, one in attributes.items():
        object.__setattr__(target, key, one)


def may_set(kind, name):
    """Whether an object may have an attribute: none that covers a method or property of its class."""
    if type(name) is not str or not is_attribute(name) or (kind is Foreign and name in ("_text", "_kind")):
        return False
    known = [vars(base)[name] for base in kind.__mro__ if name in vars(base)]
    is_slot = bool(known) and type(known[0]).__name__ == "member_descriptor"
    return not known or is_slot or not (callable(known[0]) or hasattr(type(known[0]), "__get__"))


def take_object_back(mine, theirs):
    """Gives an object the attributes of another one of its class."""
    kind = type(mine)
    if kind is Foreign or has_attributes(kind):
        fill_object(mine, kind.__name__, *pairs_of(attributes_of(theirs, kind).items()))


def take_member_apart(value, kind, enum):
    base = next(one for one in ENUMS if issubclass(kind, getattr(enum, one, ())))
    mixin = kind._member_type_.__name__ if base == "Enum" and CLASSES.get(kind._member_type_.__name__) is kind._member_type_ else None
    members = [(key, one._value_) for key, one in kind.__members__.items() if is_member(key)][:MOST_MEMBERS]
    name = value._name_ if value._name_ in dict(members) else None
    return "enum", [kind.__name__, base, mixin, name, value._value_, *pairs_of(members)]


def is_member(name):
    return is_name(name) and not name.startswith("_")


def build_member(name, base, mixin, member, value, *parts):
    """Returns the member of the class of this process, or of one that is made of what was sent."""
    import enum

    names = parts[::2]
    if base not in ENUMS or not is_name(name) or not all(map(is_member, names)):
        raise ValueError
    kind = own_class(name)
    if not isinstance(kind, type(enum.Enum)) or not has_member(kind, member, value):
        key = (name, base, mixin, repr(parts))
        if key not in enums:
            extra = {} if mixin is None else {"type": CLASSES[mixin]}
            enums[key] = getattr(enum, base)(name, list(zip(names, parts[1::2])), module="solution", **extra)
        kind = enums[key]
    return kind(value) if member is None else kind.__members__[member]


def has_member(kind, member, value):
    if member is None:
        try:
            return type(kind(value).value) is type(value)
        except Exception:
            return False
    known = kind.__members__.get(member)
    return known is not None and type(known.value) is type(value) and known.value == value
