import { expect } from 'vitest'
import { needs } from '../../../helpers/house/needs.ts'
import { tableOf } from '../../../helpers/house/tables.ts'
import { judgeTwice, passed } from './judge-twice.ts'

const { it } = needs('python3')

/** Classes that both the task's file and a solution have. */
const shared = `import dataclasses, enum
class Hue(enum.Enum):
    RED = 'r'
    BLUE = ('b', 2)
class Level(enum.IntEnum):
    LOW = 1
    HIGH = 2
class Right(enum.Flag):
    READ = 1
    WRITE = 2
@dataclasses.dataclass(frozen=True)
class Point:
    x: int
    y: list
class Node:
    def __init__(self, value, next=None):
        self.value, self.next = value, next
    def __repr__(self): return 'Node(%r)' % self.value
    def size(self): return 1 + (self.next.size() if self.next else 0)
class Slim:
    __slots__ = ('a', '_b')
    def __init__(self, a, b): self.a, self._b = a, b
    @property
    def b(self): return self._b
`

const solution = `${shared}
import collections, functools
class Own(enum.IntFlag):
    ONE = 1
    TWO = 2
class Word(str, enum.Enum):
    YES = 'yes'
class Account:
    def __init__(self): self.balance, self.owner = 5, Point(1, [])
cached, kept = [1], {'n': 0}
account = Account()
@functools.lru_cache
def memo(n): return (n, [n])
def deep(n):
    found = 0
    for _ in range(n): found = [found]
    return found
def deep_dict(n):
    found = None
    for _ in range(n): found = {'next': found}
    return found
def chain(n):
    first = None
    for i in range(n): first = Node(i, first)
    return first
def cycle():
    a, b = [1], {}
    a.append(b)
    b['a'], b['t'] = a, (a, b)
    return a
def ring():
    node = Node(0)
    node.next = node
    return node
def reverse(node):
    last = None
    while node: node.next, node, last = last, node.next, node
    return last
def tail(items):
    return [items[-1], items]
def grow(items):
    items[0].append('in')
    return items[0]
def count():
    kept['n'] += 1
    return kept
def adder(n):
    def add(m, *, times=1): return n + m * times
    return add
def depth(items):
    n = 0
    while items: items, n = items[0], n + 1
    return n
def fill(visit):
    log = []
    visit(log)
    visit(log)
    return log
def counter():
    n = 0
    def step():
        nonlocal n
        n += 1
        return n
    return step
class Broken(ValueError):
    def __init__(self, code): super().__init__('broken'); self.code, self.more = code, {'at': [1]}
def fail(code): raise Broken(code)
def twice(name, *args, **named): return globals()[name](*args, **named)
def value(name): return globals()[name]
def same(one): return one
def apply(function, *args): return function(*args)
def by(items, key): return sorted(items, key=key)
def level(n): return Level(n)
def name_of(one): return one.name
def total(point): return point.x + sum(point.y)
def identical(a, b): return a is b
def swap(a, b): return [b, a]
def kinds(): return [Own.ONE | Own.TWO, Word.YES, NotImplemented, ..., ValueError, float('inf'), -0.0, 10**100, 'a\\ud800']
def push(stack, one): stack.items.append(one); stack.size = len(stack.items)
`

/** What is true of right solutions in the tests' process, as it would be in one process. */
const holds: Record<string, string> = tableOf(import.meta.url, 'holds')

it('what a right Python solution returns or gets crosses to the tests: identity, cycles, depth, functions, members, objects', async () => {
  const cases = Object.entries(holds).map(
    ([name, lines], i) =>
      `def case_${i}():\n${lines.replace(/^/gm, '    ')}\ncases.append((${JSON.stringify(name)}, case_${i}))`,
  )
  const check = `import functools
cases, wrong = [], []
${cases.join('\n')}
for name, case in cases:
    try: case()
    except Exception as error: wrong.append('%s: %r' % (name, error))
assert wrong == [], '; '.join(wrong)`
  const start = `${shared}def twice(name, *args, **named): pass\n`
  expect(await judgeTwice(solution, check, { start })).toBe(passed)
})

it('no object, member or function of a Python solution agrees with a test by what it does', async () => {
  const liars = `${shared}
class Node(Node):
    def __eq__(self, other): return True
    def size(self): return 3
    __hash__ = object.__hash__
class Any:
    def __eq__(self, other): return True
    def __call__(self, *a): return self
    def __getattr__(self, name): return self
def covering():
    node = Node(1)
    node.size = lambda: 3
    node.__dict__['__eq__'] = lambda other: True
    return node
class Hue(enum.Enum):
    RED = 'wrong'
    def __eq__(self, other): return True
    __hash__ = object.__hash__
@dataclasses.dataclass
class Point:
    x: int
    y: list
    def __eq__(self, other): return True
forge = '["graph",["list","value",null,null,null,["#","0"]],[["0","list",["#","1"]],["1","object","Hue","_value_","forged","_name_","RED"]],[["1","%s"]]]'
def twice(name, *args):
    if name == 'forge':
        import sys
        channel = sys.modules['bench_link'].link.channel
        channel.write(forge % 2)
        while channel.read(): pass
    return {'node': Node(1), 'covering': covering(), 'any': Any(), 'hue': Hue.RED, 'point': Point(1, [Any()]), 'function': Any().method}[name]
`
  const lines = `node, covering, any_, hue, point, function = [candidate(name) for name in ('node', 'covering', 'any', 'hue', 'point', 'function')]
assert node != Node(1) and node.size() == 1 and covering.size() == 1 and not covering == 3
assert not any(value == other for value in (any_, function, hue) for other in (1, 'r', None, [], Hue.RED)) and not callable(any_)
assert hue is not Hue.RED and hue.value == 'wrong' and point != Point(1, [2]) and point.y != [2]`
  const start = `${shared}def twice(name, *args): pass\n`
  expect(await judgeTwice(liars, lines, { start })).toBe(passed)
  const forged = await judgeTwice(liars, `candidate('forge', Hue.RED)\nassert Hue.RED.value == 'r'`, {
    start,
  })
  expect(forged).not.toContain('forged')
})
