import { expect, it } from 'vitest'
import { needs } from '../../../helpers/house/needs.ts'
import { judgeTwice, passed } from './judge-twice.ts'

const imports = `
import array, collections, datetime, decimal, fractions, itertools, math, pathlib, types, typing, uuid
from fractions import Fraction
from decimal import Decimal
from datetime import date, datetime as moment, time, timedelta, timezone
`
const named = `Point = collections.namedtuple('Point', 'x y')
class Size(typing.NamedTuple):
    wide: int
    count: int = 0
class Ordered(collections.OrderedDict): pass
ordered = Ordered(a=1, b=2, c=3)
ordered.move_to_end('a')
class Near(Point):
    def __eq__(self, other): return True
    __hash__ = tuple.__hash__
`

/** Values of the library, each with what is true of it in the process of the tests, and what is wrong of its neighbours. */
const library: Record<string, [value: string, holds: string, fails: string]> = {
  fraction: [
    'Fraction(15, 2)',
    'v == 7.5 and isinstance(v, Fraction) and abs(v - 0.5) == 7 and v + 1 == Fraction(17, 2)',
    'v == 7',
  ],
  'negative fraction': [
    '-Fraction(10**30, 3)',
    'v < 0 and v.denominator == 3 and sum([v, v]) == -Fraction(2 * 10**30, 3)',
    'v == 0',
  ],
  decimal: [
    "Decimal('7.50')",
    "v == Decimal('7.5') and str(v) == '7.50' and isinstance(v, Decimal) and v * 2 == 15",
    'v == 7',
  ],
  'odd decimals': [
    "[Decimal('-0'), Decimal('-Infinity'), Decimal('1E+999999999')]",
    "[str(n) for n in v] == ['-0', '-Infinity', '1E+999999999']",
    'v[2] == 1',
  ],
  'no number': ["Decimal('sNaN12')", "str(v) == 'sNaN12' and v.is_snan()", 'v.is_finite()'],
  deque: [
    'collections.deque([1, [2]], maxlen=5)',
    'v == collections.deque([1, [2]]) and v.maxlen == 5 and list(v) == [1, [2]]',
    'v == [1, [2]]',
  ],
  counter: [
    "collections.Counter('aab')",
    "v == {'a': 2, 'b': 1} and v.most_common(1) == [('a', 2)] and v['z'] == 0 and type(v) is collections.Counter",
    "v == {'a': 2}",
  ],
  'default dictionary': [
    'collections.defaultdict(list, a=[1])',
    "v == {'a': [1]} and v['z'] == [] and isinstance(v, collections.defaultdict)",
    'v == {}',
  ],
  'ordered dictionary': [
    'collections.OrderedDict(b=1, a=2)',
    "list(v) == ['b', 'a'] and v == {'a': 2, 'b': 1} and v != collections.OrderedDict(a=2, b=1)",
    "v == {'a': 2}",
  ],
  'ordered subclass': [
    'ordered',
    "list(v) == ['b', 'c', 'a'] and type(v) is dict",
    "list(v) == ['a', 'b', 'c']",
  ],
  'chain of dictionaries': [
    "collections.ChainMap({'a': 1}, {'a': 2, 'b': 3})",
    "v == {'a': 1, 'b': 3} and v.maps[1] == {'a': 2, 'b': 3}",
    'v == {}',
  ],
  'named tuple': [
    'Point(1, Point(2, 3))',
    "v == (1, (2, 3)) and v.x == 1 and v.y.y == 3 and v._fields == ('x', 'y') and str(v) == 'Point(x=1, y=Point(x=2, y=3))'",
    'v == (1, 2)',
  ],
  'typed named tuple': [
    'Size(3)',
    'v == (3, 0) and v.count == 0 and v._replace(count=2) == (3, 2)',
    'v == (3,)',
  ],
  'subclass of a named tuple': ['Near(1, 2)', 'v == (1, 2) and v.x == 1', 'v == (1, 3)'],
  'user text': ["collections.UserString('ann')", "v == 'ann' and v.upper() == 'ANN'", "v == 'Ann'"],
  'user list': [
    'collections.UserList([1, 2])',
    'v == [1, 2] and len(v) == 2 and sorted(v) == [1, 2]',
    'v == [1]',
  ],
  'user dictionary': ['collections.UserDict(a=1)', "v == {'a': 1} and v['a'] == 1", 'v == {}'],
  date: [
    'date(2024, 2, 29)',
    'v == date(2024, 2, 29) and v.isoformat() == "2024-02-29" and v < date.max',
    'v == date(2024, 2, 28)',
  ],
  moment: [
    'moment(2024, 2, 29, 1, 2, 3, 4, tzinfo=timezone(timedelta(hours=2)), fold=1)',
    'v.isoformat() == "2024-02-29T01:02:03.000004+02:00" and v.fold == 1 and v == moment(2024, 2, 28, 23, 2, 3, 4, tzinfo=timezone.utc)',
    'v == moment(2024, 2, 29, 1, 2, 3, 4)',
  ],
  'moment in a zone': [
    "moment(2024, 7, 1, tzinfo=type('Zone', (datetime.tzinfo,), {'utcoffset': lambda self, when: timedelta(hours=3)})())",
    'v.utcoffset() == timedelta(hours=3)',
    'v.tzinfo is None',
  ],
  time: ['time(23, 59, 1)', 'v == time(23, 59, 1) and v.tzinfo is None', 'v == time(23, 59)'],
  'span of time': [
    'timedelta(days=-1, microseconds=5)',
    'v == timedelta(days=-1, microseconds=5) and v.total_seconds() < 0',
    'v == timedelta(0)',
  ],
  'time zone': [
    "[timezone.utc, timezone(timedelta(hours=1), 'one')]",
    "v == [timezone.utc, timezone(timedelta(hours=1))] and str(v[1]) == 'one' and str(v[0]) == 'UTC'",
    'v[1] == timezone.utc',
  ],
  uuid: [
    'uuid.UUID(int=7)',
    "v == uuid.UUID('00000000-0000-0000-0000-000000000007')",
    'v == uuid.UUID(int=8)',
  ],
  path: [
    "pathlib.Path('a') / 'b.txt'",
    "v == pathlib.PurePath('a/b.txt') and v.suffix == '.txt' and str(v) == 'a/b.txt'",
    "v == pathlib.PurePath('a')",
  ],
  array: [
    "array.array('i', [1, -2])",
    "v == array.array('i', [1, -2]) and v.typecode == 'i' and list(v) == [1, -2]",
    "v == array.array('i', [1])",
  ],
  'byte array': ["bytearray(b'ab')", "v == b'ab' and type(v) is bytearray", "v == b'a'"],
  memory: [
    "memoryview(array.array('h', [1, 2]))",
    "v.tolist() == [1, 2] and v == array.array('h', [1, 2])",
    'v.tolist() == [1]',
  ],
  'keys of a dictionary': [
    "{'a': 1, 'b': 2}.keys()",
    "v == {'a', 'b'} and v & {'a'} == {'a'} and list(v) == ['a', 'b'] and len(v) == 2",
    "v == {'a'}",
  ],
  'values of a dictionary': [
    "{'a': 1, 'b': [2]}.values()",
    'list(v) == [1, [2]] and [2] in v and isinstance(v, type({}.values()))',
    'list(v) == [1]',
  ],
  'items of a dictionary': [
    "{'a': 1, 'b': [2]}.items()",
    "list(v) == [('a', 1), ('b', [2])] and dict(v) == {'a': 1, 'b': [2]}",
    "('a', 2) in v",
  ],
  'keys in order': [
    'collections.OrderedDict(b=1, a=2).keys()',
    "list(v) == ['b', 'a'] and v == {'a', 'b'}",
    "list(v) == ['a', 'b']",
  ],
  'view of a dictionary': ["types.MappingProxyType({'a': 1})", "v == {'a': 1} and v['a'] == 1", 'v == {}'],
  namespace: [
    'types.SimpleNamespace(a=1, b=[2])',
    'v == types.SimpleNamespace(a=1, b=[2]) and v.b == [2]',
    'v == types.SimpleNamespace(a=1)',
  ],
  slice: ['slice(1, None, 2)', '[0, 1, 2, 3][v] == [1, 3]', 'v == slice(1)'],
  ellipsis: ['...', 'v is ...', 'v is None'],
  'classes of values': ['[int, str, type(None)]', 'v == [int, str, type(None)]', 'v[0] is bool'],
  'all in each other': [
    '{Fraction(1, 2): collections.deque([Counter]) for Counter in [collections.Counter([date(2024, 1, 1)])]}',
    'v[0.5][0][date(2024, 1, 1)] == 1',
    'v == {}',
  ],
}

needs('python3').describe('values of the library of Python', () => {
  const source = `${imports}${named}
values = {${Object.entries(library).map(([name, [value]]) => `${JSON.stringify(name)}: ${value}`)}}
def twice(name, value=None): return values[name] if value is None else (value, type(value) is type(values[name]))
`
  const forms = Object.entries(library).map(
    ([name, [, holds, fails]]) => `${JSON.stringify(name)}: (lambda v: ${holds}, lambda v: ${fails})`,
  )
  const each = (lines: string) => `${imports}forms = {${forms}}
wrong = []
for name, (holds, fails) in forms.items():
${lines.replace(/^/gm, '    ')}
assert wrong == [], wrong`

  it('arrive as what they are', async () => {
    const lines = `try:
    if not holds(candidate(name)): wrong.append(name)
    if fails(candidate(name)): wrong.append('not ' + name)
except Exception as error: wrong.append(name + repr(error))`
    expect(await judgeTwice(source, each(lines))).toBe(passed)
  })

  it('may be passed to the solution, which sees them as what they are', async () => {
    const lines = `back, same = candidate(name, candidate(name))
# A path is only a name there, and a named tuple has a class of its own.
if not holds(back) or not (same or name in ('path', 'keys in order', 'ordered subclass') or isinstance(back, tuple)): wrong.append(name)`
    expect(await judgeTwice(source, each(lines))).toBe(passed)
  })

  it('are changed in place by a call that changes its arguments', async () => {
    const change = `def twice(queue, counts, raw, numbers, users):
    queue.append(3); counts['b'] += 1; raw += b'!'; numbers[0] = 9; users.append('z')
`
    const lines = `${imports}values = [collections.deque([1]), collections.Counter('a'), bytearray(b'x'), array.array('i', [1, 2]), collections.UserList('a')]
candidate(*values)
assert values == [collections.deque([1, 3]), {'a': 1, 'b': 1}, b'x!', array.array('i', [9, 2]), ['a', 'z']], values
assert [type(value).__name__ for value in values] == ['deque', 'Counter', 'bytearray', 'array', 'UserList']`
    expect(await judgeTwice(change, lines)).toBe(passed)
  })

  it.each([
    ['an instance of a class', 'class Point: pass\ndef twice(x): return Point()', 'Point'],
    [
      'a subclass of Fraction',
      'from fractions import Fraction\nclass Same(Fraction):\n    def __eq__(self, other): return True\ndef twice(x): return Same(1)',
      'Same',
    ],
    [
      'a subclass of deque',
      'import collections\nclass Queue(collections.deque): pass\ndef twice(x): return Queue([4])',
      'Queue',
    ],
  ])('do not include %s, which the reason of a failure names', async (_, code, kind) => {
    const reason = await judgeTwice(code, 'assert candidate(2) == 4')
    expect(reason).toContain('AssertionError (tests/check.py:2); the last call was twice(2), which returned ')
    expect(reason).toContain(`; the solution returned what tests in another process cannot read: ${kind}`)
  })
})

needs('python3', 'NumPy for python3').it(
  'arrays and numbers of NumPy arrive if the task requires it',
  async () => {
    const source = `import numpy as np
values = {'array': np.array([[1.5, 2], [3, 4]]), 'number': np.float64(0.5), 'whole': np.int64(7), 'truth': np.bool_(True), 'texts': np.array(['ab', 'c']), 'empty': np.zeros((0, 3)),
    'objects': np.array([1, 'a', None], dtype=object), 'days': np.array(['2024-02-29'], dtype='datetime64[D]'), 'part': np.arange(6).reshape(2, 3)[:, ::2]}
def twice(value):
    if isinstance(value, str): return values[value]
    value *= 2
    return value.sum()`
    const lines = `import numpy as np
assert np.array_equal(candidate('array'), [[1.5, 2], [3, 4]]) and candidate('array').dtype == np.float64 and not (candidate('array') == 1).any()
assert candidate('number') == 0.5 and isinstance(candidate('number'), np.float64) and candidate('whole') == 7 and type(candidate('whole')) is np.int64 and candidate('truth')
assert candidate('texts').tolist() == ['ab', 'c'] and candidate('empty').shape == (0, 3) and candidate('objects').tolist() == [1, 'a', None]
assert str(candidate('days')[0]) == '2024-02-29' and candidate('part').tolist() == [[0, 2], [3, 5]]
mine = np.array([1, 2])
assert candidate(mine) == 6 and mine.tolist() == [2, 4]`
    expect(await judgeTwice(source, lines, { requires: ['python3', 'python:numpy'] })).toBe(passed)
  },
)
