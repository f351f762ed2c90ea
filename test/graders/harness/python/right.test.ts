import { expect, it } from 'vitest'
import { gradeLeft } from '../../../helpers/graders/grader-contract.ts'
import { needs } from '../../../helpers/house/needs.ts'
import { sampleTask } from '../../../helpers/runs/sample-task.ts'
import { right, spec, stub } from './twice.ts'

const grader = { kind: 'tests', runner: 'python-check', expectTests: 1 }

/** Grades a solution by one check with this body. */
async function judge(source: string, lines: string, start = stub) {
  const task = sampleTask({
    files: { 'solution.py': start },
    tests: { 'check.py': `def check(candidate):\n${lines.replace(/^/gm, '    ')}\n` },
    spec: { ...spec, graders: [grader] },
  })
  return (await gradeLeft(task, { files: { 'solution.py': source } })).scores[0]?.reason
}

const passed = '1 of 1 tests passed'
const mark = '\uFEFF'

needs('python3').describe('a right Python solution passes', () => {
  it.each([
    ['a byte order mark', `${mark}${right}`],
    ['a byte order mark and the ends of lines of Windows', `${mark}${right.replaceAll('\n', '\r\n')}`],
    ['a byte order mark and an encoding', `${mark}# -*- coding: utf-8 -*-\n${right}`],
    ['a first line for a shell', `#!/usr/bin/env python3\r\n# -*- coding: utf-8 -*-\r\n${right}`],
    ['another encoding', `# -*- coding: latin-1 -*-\n${right}`],
    ['form feeds', right.replace('def', '\f\ndef')],
    ['the ends of lines of old', right.replaceAll('\n', '\r')],
    ['a future import', `${mark}from __future__ import annotations\n${right}`],
  ])('that begins or is written with %s', async (_, source) => {
    expect(await judge(source, 'assert candidate(2) == 4')).toBe(passed)
  })

  it('with helpers of a task whose own file begins with a byte order mark', async () => {
    const start = `${mark}def half(x):\r\n    return x / 2\r\n${stub}`
    expect(await judge(`${start}    return x * 2\n`, 'assert half(candidate(4)) == 4', start)).toBe(passed)
  })

  const kinds = `
import collections, enum
class Colour(str, enum.Enum):
    RED = 'red'
class Level(enum.IntEnum):
    HIGH = 3
class Flags(enum.IntFlag):
    A = 1
    B = 2
class Weight(float, enum.Enum):
    HALF = 0.5
class Name(str):
    def __str__(self): return 'Name: ' + str.__str__(self)
    def __repr__(self): return 'Name()'
    def __format__(self, spec): return 'Name'
class Count(int):
    def __str__(self): return 'many'
    def __format__(self, spec): return 'many'
    def __index__(self): return 99
class Size(float):
    def __float__(self): return 99.0
    def __repr__(self): return 'big'
class Wave(complex):
    def __complex__(self): return 9j
class Raw(bytes):
    def __bytes__(self): return b'other'
    def __str__(self): return 'raw'
class Buffer(bytearray): pass
class Rows(list):
    def __repr__(self): return 'rows'
    def __init__(self, items=()): super().__init__(items); self.note = 'x'
class Row(tuple): pass
class Table(dict):
    def __getattr__(self, name): return self[name]
    def items(self): return [('not', 'this')]
    def keys(self): return ['not']
class Names(set): pass
class Frozen(frozenset): pass
class Hashed(list):
    def __hash__(self): return len(self)
Point = collections.namedtuple('Point', 'x y')
moved = collections.OrderedDict(a=1, b=2, c=3)
moved.move_to_end('a')
grouped = collections.defaultdict(list, a=[1])
values = {
    'red': Colour.RED, 'in a list': [Colour.RED, Level.HIGH], 'a key': {Colour.RED: Level.HIGH}, 'high': Level.HIGH, 'flags': Flags.A | Flags.B, 'half': Weight.HALF,
    'name': Name('ann'), 'count': Count(5), 'size': Size(-0.5), 'zero': Size(-0.0), 'wave': Wave(1, -0.0), 'raw': Raw(b'\\xff'), 'buffer': Buffer(b'a'), 'rows': Rows([Count(1), [2]]), 'row': Row((1, Name('a'))),
    'table': Table(a=1), 'names': Names({Name('a')}), 'frozen': Frozen({1}), 'point': Point(1, Point(2, 3)), 'moved': moved, 'grouped': grouped, 'counted': collections.Counter('aab'),
    'big': Count(-10**30), 'true': {True: Count(1)}, 'hashed': {Hashed([1]), 2},
}
def twice(x): return values[x]
`
  it('that returns instances of subclasses of built-in types, if == holds in one process', async () => {
    const lines = `wanted = {'red': 'red', 'in a list': ['red', 3], 'a key': {'red': 3}, 'high': 3, 'flags': 3, 'half': 0.5, 'name': 'ann', 'count': 5, 'size': -0.5, 'wave': 1 - 0j,
    'raw': b'\\xff', 'buffer': b'a', 'rows': [1, [2]], 'row': (1, 'a'), 'table': {'a': 1}, 'names': {'a'}, 'frozen': frozenset({1}), 'point': (1, (2, 3)), 'moved': {'a': 1, 'b': 2, 'c': 3},
    'grouped': {'a': [1]}, 'counted': {'a': 2, 'b': 1}, 'big': -10**30, 'true': {True: 1}}
wrong = [name for name, value in wanted.items() if candidate(name) != value]
assert wrong == [], wrong
assert list(candidate('moved')) == ['b', 'c', 'a']
assert str(candidate('zero')) == '-0.0'
assert type(candidate('name')) is str and candidate('high').name == 'HIGH' and type(candidate('table')) is dict
assert len(candidate('hashed')) == 2 and 2 in candidate('hashed')`
    expect(await judge(kinds, lines)).toBe(passed)
  })

  it('unless it returns a value that cannot be sent, which fails only that test', async () => {
    const source = `import collections
def twice(x):
    if x == 1: return 2
    a = collections.deque()
    a.append(a)
    return a
`
    expect(await judge(source, 'assert candidate(1) == 2')).toBe(passed)
    expect(await judge(source, 'candidate(0)')).toContain('ValueError: a deque that contains itself')
    const text = 'class Odd:\n    def __repr__(self): raise ValueError\ndef twice(x): return Odd()\n'
    expect(await judge(text, 'assert candidate(0) == 2')).toContain('AssertionError')
  })
})
