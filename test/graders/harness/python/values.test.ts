import { expect, it } from 'vitest'
import { needs } from '../../../helpers/house/needs.ts'
import { tableOf } from '../../../helpers/house/tables.ts'
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
const library: Record<string, [value: string, holds: string, fails: string]> = tableOf(
  import.meta.url,
  'library',
)

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

  it.each(tableOf<[string, string, string][]>(import.meta.url, 'doNot'))(
    'do not include %s, which the reason of a failure names',
    async (_, code, kind) => {
      const reason = await judgeTwice(code, 'assert candidate(2) == 4')
      expect(reason).toContain(
        'AssertionError (tests/check.py:2); the last call was twice(2), which returned ',
      )
      expect(reason).toContain(`; the solution returned what tests in another process cannot read: ${kind}`)
    },
  )
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
