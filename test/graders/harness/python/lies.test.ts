import { expect } from 'vitest'
import { gradeLeft } from '../../../helpers/graders/grader-contract.ts'
import { needs } from '../../../helpers/house/needs.ts'
import { sampleTask } from '../../../helpers/runs/sample-task.ts'
import { spec } from './twice.ts'

/** Source of a solution whose `answer(name)` returns a wrong answer that deceives tests in the same process. */
const pythonLies = `
import array, collections, decimal, enum, fractions

def liar(base, *args, **methods):
    return type('Liar', (base,), methods)(*args)

yes, no, nothing, two = (lambda *a: True), (lambda *a: False), (lambda *a: iter(())), (lambda *a: 2)
same = dict(__eq__=yes, __ne__=no)
order = dict(__lt__=yes, __le__=yes, __gt__=yes, __ge__=yes)
every = dict(same, **order, __contains__=yes, __bool__=yes)
class Any:
    def __eq__(self, other): return True
    def __ne__(self, other): return False
    __lt__ = __le__ = __gt__ = __ge__ = __contains__ = __bool__ = __eq__
    def __hash__(self): return 0
    def __len__(self): return 3
    def __iter__(self): return iter(())
    def __getitem__(self, key): return self
    def __getattr__(self, name): return self
    def __call__(self, *a, **k): return self
    def __int__(self): return 3
    __index__ = __int__
    def __float__(self): return 3.0
    def __str__(self): return 'right'
    __add__ = __sub__ = __mul__ = __radd__ = __rsub__ = lambda self, other: self
    __abs__ = __neg__ = lambda self: self
class Reflected(Any):
    __class__ = list
class Meta(type):
    def __eq__(self, other): return True
    def __hash__(self): return 0
    def __instancecheck__(self, one): return True
class Odd(list, metaclass=Meta):
    __eq__ = yes
    __hash__ = None
class Missing(dict):
    def __missing__(self, key): return Any()
class Turning(int):
    turn = 0
    def compare(self, other):
        Turning.turn += 1
        return True
    __lt__ = __gt__ = __le__ = __ge__ = __eq__ = compare
    __hash__ = int.__hash__
class Short:
    __eq__ = __lt__ = __gt__ = __ge__ = __contains__ = yes
    __len__ = lambda self: 3
    turn = 0
    __iter__ = lambda self: self
    def __next__(self):
        self.turn += 1
        if self.turn > 3: raise type('End', (StopIteration,), dict(value=Any()))
        return liar(int, -self.turn, **every, __hash__=int.__hash__)
class Colour(str, enum.Enum):
    WRONG = 'wrong'
    def __eq__(self, other): return True
    __hash__ = str.__hash__
class Level(enum.IntEnum):
    WRONG = 10
    def __eq__(self, other): return True
    __lt__ = __gt__ = __eq__
    __hash__ = int.__hash__
Pair = collections.namedtuple('Pair', 'a b')
class LyingPair(Pair):
    __eq__ = yes
    __len__ = lambda self: 3
    __hash__ = tuple.__hash__

lies = {
    'list, equal': ('list', lambda: liar(list, [-1, -5], **same)),
    'list, longer': ('list', lambda: liar(list, [-1, -5], **same, __len__=lambda self: 3)),
    'list, empty': ('list', lambda: liar(list, [-1, -5], __iter__=nothing, __len__=lambda self: 3)),
    'list, of all': ('list', lambda: liar(list, [-1, -5], **every)),
    'list, by index': ('list', lambda: liar(list, [-1, -5], __getitem__=lambda self, key: Any())),
    'list, methods': ('list', lambda: liar(list, [-1, -5], index=lambda *a: 0, count=lambda *a: 1, copy=lambda self: Any(), sort=yes, __reversed__=nothing)),
    'list, items': ('list', lambda: [Any(), Any()]),
    'list, of its class': ('list', Reflected),
    'list, of another class': ('list', lambda: Odd([-1])),
    'list, sum': ('list', lambda: liar(list, [-1, -5], __add__=lambda self, other: Any(), __radd__=lambda self, other: Any())),
    'list, a user list': ('list', lambda: liar(collections.UserList, [-1, -5], **every)),
    'list, a deque': ('list', lambda: liar(collections.deque, [-1, -5], **every)),
    'list, an iterator': ('list', lambda: iter([-1, -5])),
    'list, a lying iterator': ('list', Short),
    'list, a generator of any': ('list', lambda: (Any() for _ in range(3))),
    'list, keys of a dictionary': ('list', lambda: {-1: 1, -2: 2}.keys()),
    'list, an array': ('list', lambda: liar(array.array, 'i', [-1, -5], **every)),
    'list, a long slice': ('list', lambda: slice(Any(), 2, 3)),
    'list, anything': ('list', Any),
    'tuple, equal': ('tuple', lambda: liar(tuple, (-1,), **same, __hash__=lambda self: hash((1, 2)))),
    'tuple, named': ('tuple', lambda: LyingPair(-1, -2)),
    'tuple, of methods': ('tuple', lambda: collections.namedtuple('Odd', 'count index')(Any(), -1)),
    'tuple, of fields': ('tuple', lambda: type('Odd', (tuple,), dict(every, _fields=('a', 'b')))((-1, -2))),
    'tuple, of any': ('tuple', lambda: (Any(), Any())),
    'tuple, of all': ('tuple', lambda: liar(tuple, (-1,), **every, __len__=two, __iter__=nothing)),
    'dict, equal': ('dict', lambda: liar(dict, {'x': -1}, **same)),
    'dict, items': ('dict', lambda: liar(dict, {'x': -1}, items=lambda self: [], keys=lambda self: ['a', 'b'], values=lambda self: [], __len__=two)),
    'dict, get': ('dict', lambda: liar(dict, {'x': -1}, get=lambda self, *a: Any(), __getitem__=lambda self, key: Any(), __contains__=yes)),
    'dict, missing': ('dict', lambda: Missing(x=-1)),
    'dict, of any': ('dict', lambda: {'x': Any()}),
    'dict, default': ('dict', lambda: collections.defaultdict(Any, x=-1)),
    'dict, ordered': ('dict', lambda: liar(collections.OrderedDict, {'x': -1}, **same, __iter__=nothing)),
    'dict, counted': ('dict', lambda: liar(collections.Counter, {'x': -1}, **same, __missing__=lambda self, key: Any())),
    'dict, a user dictionary': ('dict', lambda: liar(collections.UserDict, {'x': -1}, **every)),
    'dict, a chain': ('dict', lambda: collections.ChainMap(liar(dict, {'x': -1}, **same), collections.Counter(x=Any()))),
    'dict, a user dictionary of any': ('dict', lambda: collections.UserDict(x=Any())),
    'dict, keys': ('dict', lambda: {Any(): 1}),
    'dict, anything': ('dict', Any),
    'set, equal': ('set', lambda: liar(set, {-4}, **same)),
    'set, contains': ('set', lambda: liar(set, {-4}, __contains__=yes, __len__=two, __iter__=nothing)),
    'set, subsets': ('set', lambda: liar(set, {-4}, issubset=yes, issuperset=yes, **order)),
    'set, frozen': ('set', lambda: liar(frozenset, {-4}, **every)),
    'set, keys of a dictionary': ('set', lambda: liar(collections.OrderedDict, {-4: 1}, **same).keys()),
    'set, of any': ('set', lambda: {Any()}),
    'set, of lists': ('set', lambda: {liar(list, [-1], __hash__=lambda self: 1, **same)}),
    'str, equal': ('str', lambda: liar(str, 'wrong', **same, __hash__=str.__hash__)),
    'str, text': ('str', lambda: liar(str, 'wrong', __str__=lambda self: 'right', __repr__=lambda self: "'right'", __format__=lambda self, spec: 'right')),
    'str, contains': ('str', lambda: liar(str, 'wrong', **every, startswith=yes, endswith=yes, find=lambda *a: 0, strip=lambda *a: Any(), lower=lambda self: Any())),
    'str, length': ('str', lambda: liar(str, 'wrong!!', __len__=lambda self: 5, __iter__=lambda self: iter('right'), __getitem__=lambda self, key: 'right'[key])),
    'str, a member': ('str', lambda: Colour.WRONG),
    'str, a user text': ('str', lambda: liar(collections.UserString, 'wrong', **every)),
    'str, anything': ('str', Any),
    'bytes, equal': ('bytes', lambda: liar(bytes, b'wrong', **same, __bytes__=lambda self: b'right', hex=lambda self: b'right'.hex())),
    'bytes, a view': ('bytes', lambda: memoryview(liar(bytes, b'wrong', **every))),
    'bytes, an array': ('bytes', lambda: liar(bytearray, b'wrong', **same, decode=lambda self: 'right')),
    'number, equal': ('number', lambda: liar(int, 10, **same, __hash__=int.__hash__)),
    'number, in order': ('number', lambda: liar(int, 10, **every, __hash__=int.__hash__)),
    'number, as a number': ('number', lambda: liar(int, 10, __int__=lambda self: 3, __index__=lambda self: 3, __float__=lambda self: 3.0, __trunc__=lambda self: 3)),
    'number, sums': ('number', lambda: liar(int, 10, __add__=lambda self, o: 3, __sub__=lambda self, o: 0, __rsub__=lambda self, o: 0, __abs__=lambda self: 3, __mod__=lambda self, o: 0)),
    'number, that turns': ('number', lambda: Turning(10)),
    'number, a float': ('number', lambda: liar(float, 10.0, **every, __float__=lambda self: 3.0, __round__=lambda *a: 3, hex=lambda self: 3.0.hex(), __hash__=float.__hash__)),
    'number, complex': ('number', lambda: liar(complex, 10, **same, real=3, imag=0, __complex__=lambda self: 3+0j, __abs__=lambda self: 3, __hash__=complex.__hash__)),
    'number, a fraction': ('number', lambda: liar(fractions.Fraction, 10, **every, __hash__=yes, __int__=lambda self: 3, __float__=lambda self: 3.0)),
    'number, a decimal': ('number', lambda: liar(decimal.Decimal, 10, **every, __hash__=yes, __str__=lambda self: '3', __int__=lambda self: 3)),
    'number, no decimal': ('number', lambda: decimal.Decimal('NaN')),
    'number, a member': ('number', lambda: Level.WRONG),
    'number, not one': ('number', lambda: liar(float, 'nan', **every, __hash__=float.__hash__)),
    'number, anything': ('number', Any),
    'truth, equal': ('truth', Any),
    'truth, a number': ('truth', lambda: liar(int, 0, **every, __hash__=int.__hash__)),
    'none, equal': ('none', Any),
    'error, a text': ('error', lambda: liar(ValueError, 'wrong', __str__=lambda self: liar(str, 'wrong', **every, startswith=yes, __hash__=str.__hash__))),
    'error, arguments': ('error', lambda: liar(ValueError, liar(str, 'wrong', **every, __hash__=str.__hash__))),
    'error, of a class': ('error', lambda: Meta('ValueError', (Exception,), dict(__eq__=yes, args=Any()))('wrong')),
}
rights = {'list': [1, 2, 3], 'tuple': (1, 2), 'dict': {'a': 1, 'b': 2}, 'set': {1, 2}, 'str': 'right', 'bytes': b'right', 'number': 3, 'truth': True, 'none': None}

def answer(name):
    if name == 'names': return [(one, kind) for one, (kind, make) in lies.items()]
    if name == 'right error': raise LookupError('no such key')
    if name in rights: return rights[name]
    kind, make = lies[name]
    if kind == 'error': raise make()
    return make()
`

/** A `check` that collects the usual assertions that such values pass. */
const pythonForms = `
import math

def caught(give):
    try:
        give()
    except Exception as error:
        return error
    raise AssertionError

forms = {
    'list': [lambda v: v == [1, 2, 3], lambda v: [1, 2, 3] == v, lambda v: not v != [1, 2, 3], lambda v: len(v) == 3, lambda v: 2 in v, lambda v: all(n > 0 for n in v), lambda v: any(n == 2 for n in v),
        lambda v: list(v) == [1, 2, 3], lambda v: sorted(v) == [1, 2, 3], lambda v: sum(v) == 6, lambda v: v[0] == 1, lambda v: v[-1] == 3, lambda v: v.index(1) == 0, lambda v: v.count(2) == 1,
        lambda v: tuple(v) == (1, 2, 3), lambda v: max(v) == 3, lambda v: v + [] == [1, 2, 3], lambda v: [] + v == [1, 2, 3], lambda v: str(v) == '[1, 2, 3]', lambda v: set(v) == {1, 2, 3}, lambda v: v[::-1] == [3, 2, 1],
        lambda v: v >= [1, 2, 3], lambda v: all(a == b for a, b in zip(v, [1, 2, 3])), lambda v: isinstance(v, list) and v == [1, 2, 3], lambda v: v.copy() == [1, 2, 3], lambda v: [*v] == [1, 2, 3]],
    'tuple': [lambda v: v == (1, 2), lambda v: (1, 2) == v, lambda v: len(v) == 2 and v[0] == 1, lambda v: hash(v) == hash((1, 2)), lambda v: v in [(1, 2)], lambda v: v in {(1, 2)}, lambda v: list(v) == [1, 2], lambda v: 2 in v, lambda v: v >= (1, 2)],
    'dict': [lambda v: v == {'a': 1, 'b': 2}, lambda v: {'a': 1, 'b': 2} == v, lambda v: v['a'] == 1, lambda v: v.get('b') == 2, lambda v: 'a' in v, lambda v: len(v) == 2 and all(k in 'ab' for k in v), lambda v: sorted(v.items()) == [('a', 1), ('b', 2)],
        lambda v: list(v) == ['a', 'b'], lambda v: sorted(v.keys()) == ['a', 'b'], lambda v: sum(v.values()) == 3, lambda v: dict(v) == {'a': 1, 'b': 2}, lambda v: {**v} == {'a': 1, 'b': 2}, lambda v: str(v) == "{'a': 1, 'b': 2}"],
    'set': [lambda v: v == {1, 2}, lambda v: {1, 2} == v, lambda v: 1 in v, lambda v: len(v) == 2, lambda v: sorted(v) == [1, 2], lambda v: v >= {1, 2}, lambda v: v.issuperset({1}), lambda v: v - {1, 2} == set(), lambda v: all(n > 0 for n in v), lambda v: v & {1} == {1}],
    'str': [lambda v: v == 'right', lambda v: 'right' == v, lambda v: len(v) == 5 and v[0] == 'r', lambda v: 'igh' in v, lambda v: v.startswith('ri'), lambda v: str(v) == 'right', lambda v: f'{v}' == 'right', lambda v: repr(v) == "'right'", lambda v: v + '' == 'right',
        lambda v: ''.join(v) == 'right', lambda v: v.strip() == 'right', lambda v: v.lower() == 'right', lambda v: v in ['right'], lambda v: v in {'right'}, lambda v: {'right': 1}[v], lambda v: list(v) == list('right'), lambda v: 'rig' < v < 'rih', lambda v: '%s' % v == 'right', lambda v: v[:2] == 'ri'],
    'bytes': [lambda v: v == b'right', lambda v: b'right' == v, lambda v: bytes(v) == b'right', lambda v: v.hex() == b'right'.hex(), lambda v: v.decode() == 'right', lambda v: b'igh' in v, lambda v: list(v) == list(b'right')],
    'number': [lambda v: v == 3, lambda v: 3 == v, lambda v: 2 < v < 4, lambda v: v > 2 and v < 4, lambda v: v >= 3 and v <= 3, lambda v: abs(v - 3) < 1e-6, lambda v: math.isclose(v, 3), lambda v: int(v) == 3, lambda v: float(v) == 3, lambda v: round(v) == 3, lambda v: v % 3 == 0,
        lambda v: v + 0 == 3, lambda v: str(v) == '3', lambda v: v in (3, 4), lambda v: v in {3}, lambda v: range(9)[v] == 3, lambda v: not v != 3, lambda v: v - 3 == 0, lambda v: abs(v) == 3],
    'truth': [lambda v: v is True, lambda v: v == True, lambda v: v == 1],
    'none': [lambda v: v is None, lambda v: v == None],
}
errors = [lambda e: isinstance(e, LookupError), lambda e: str(e) == 'no such key', lambda e: 'no such' in str(e), lambda e: e.args == ('no such key',), lambda e: 'key' in e.args[0], lambda e: str(e).startswith('no'), lambda e: type(e).__name__ == 'LookupError', lambda e: e == LookupError('x') or e.args[0] == 'no such key']

def holds(form, value):
    try:
        return bool(form(value))
    except Exception:
        return False

def check(candidate):
    for kind, all_forms in forms.items():
        assert all(holds(form, candidate(kind)) for form in all_forms), [kind, [at for at, form in enumerate(all_forms) if not holds(form, candidate(kind))]]
    assert all(holds(form, caught(lambda: candidate('right error'))) for form in errors)
    names = candidate('names')
    assert len(names) >= 65, len(names)
    agreeing = []
    for name, kind in names:
        give = (lambda: caught(lambda: candidate(name))) if kind == 'error' else (lambda: candidate(name))
        agreeing += ['%s: %d' % (name, at) for at, form in enumerate(errors if kind == 'error' else forms[kind]) if holds(form, give())]
    assert agreeing == [], agreeing
`

needs('python3').it('Python tests reject every deceptive value, in any form of assertion', async () => {
  const task = sampleTask({
    files: { 'solution.py': '' },
    tests: { 'check.py': pythonForms },
    spec: {
      ...spec,
      entryPoint: 'answer',
      graders: [{ kind: 'tests', runner: 'python-check', expectTests: 1 }],
    },
  })
  const { scores } = await gradeLeft(task, { files: { 'solution.py': pythonLies } })
  expect(scores[0]?.reason).toBe('1 of 1 tests passed')
})
