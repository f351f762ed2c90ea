import { expect } from 'vitest'
import { needs } from '../../../helpers/house/needs.ts'
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
const holds: Record<string, string> = {
  'a cycle':
    "a = candidate('cycle'); assert a[0] == 1 and a[1]['a'] is a and a[1]['t'] == (a, a[1]) and a[1]['t'][0] is a",
  'a cycle that is passed':
    "a = [1]; a.append(a); b = candidate('same', a); assert b is a and a[1] is a and len(a) == 2",
  'a cycle of objects': "node = candidate('ring'); assert node.next is node and type(node) is Node",
  '10,000 levels': "assert candidate('depth', candidate('deep', 10_000)) == 10_000",
  'levels that the test walks':
    "found, n = candidate('deep_dict', 5_000), 0\nwhile found: found, n = found['next'], n + 1\nassert n == 5_000",
  'a chain of 3,000 objects':
    "node, n = candidate('chain', 3_000), 0\nwhile node: node, n = node.next, n + 1\nassert n == 3_000",
  'the argument itself':
    "for one in ([1], {'a': 1}, {1}, (1, [2]), 'a text', 10**30, lambda: 1, Hue.RED, Node(1), None, True, b'x', bytearray(b'y'), 1.5): assert candidate('same', one) is one",
  'a part of an argument':
    "items = [[1], [2]]; last, all_items = candidate('tail', items); assert last is items[1] and all_items is items and items == [[1], [2]]",
  'one object twice':
    "pair = [1]; a, b = candidate('swap', pair, pair); assert a is b is pair; assert candidate('identical', pair, pair) and not candidate('identical', [1], [1])",
  'two that are equal':
    "assert not candidate('identical', [1], [1]); a, b = candidate('swap', [1], [1]); assert a is not b and a == b",
  'a part that a call changes':
    "inner = ['x']; outer = [inner]; got = candidate('grow', outer); assert inner == ['x', 'in'] and outer[0] is inner and got is inner",
  'one result of two calls':
    "assert candidate('value', 'cached') is candidate('value', 'cached'); assert candidate('memo', 3) is candidate('memo', 3); assert candidate('value', 'account') is candidate('value', 'account'); assert candidate('memo', 4) is not candidate('memo', 3)",
  'a result that changes later':
    "first = candidate('count'); assert first == {'n': 1}; second = candidate('count'); assert second is first and first == {'n': 2}",
  'a member of IntEnum':
    "v = candidate('level', 2); assert v is Level.HIGH and v == 2 and v.name == 'HIGH' and isinstance(v, int) and v > Level.LOW and v + 1 == 3",
  'members that are passed':
    "assert candidate('name_of', Hue.BLUE) == 'BLUE' and candidate('name_of', Level.LOW) == 'LOW' and candidate('same', [Hue.BLUE]) == [Hue.BLUE]",
  flags:
    "both = candidate('same', [Right.READ | Right.WRITE])[0]; assert both == Right.READ | Right.WRITE and Right.READ in both",
  'members of enums of the solution':
    "own, word, *_ = candidate('kinds'); assert own == 3 and own.value == 3 and word == 'yes' and word.name == 'YES' and word.value == 'yes' and type(word).__name__ == 'Word'; assert candidate('kinds')[1] is word",
  'odd plain values':
    "_, _, no, dots, error, inf, zero, big, text = candidate('kinds'); assert no is NotImplemented and dots is ... and error is ValueError and inf == float('inf') and str(zero) == '-0.0' and big == 10**100 and text == 'a\\ud800'",
  'a lambda as argument':
    "assert candidate('by', ['bb', 'a', 'ccc'], key=lambda text: -len(text)) == ['ccc', 'bb', 'a']; assert candidate('apply', lambda a, b: a + b, 2, 3) == 5; assert candidate('apply', len, [1, 2]) == 2",
  'a method and a class as argument':
    "seen = []; candidate('apply', seen.append, 7); assert seen == [7]; assert candidate('apply', int, '12') == 12; assert candidate('apply', functools.partial(max, 5), 3) == 5",
  'a callback that changes what it gets':
    "assert candidate('fill', lambda log: log.append(len(log))) == [0, 1]",
  'a callback that fails':
    "def bad(): raise KeyError('mine')\ntry: candidate('apply', bad)\nexcept KeyError as error: assert error.args == ('mine',)\nelse: assert False",
  'a function as result':
    "add = candidate('adder', 5); assert add(2) == 7 and add(2, times=3) == 11 and add.__name__ == 'add' and callable(add); assert candidate('apply', add, 1) == 6; assert candidate('same', add) is add",
  'a function with a state':
    "a, b = candidate('counter'), candidate('counter'); assert [a(), a(), b(), a()] == [1, 2, 1, 3]",
  'a function in a list': "f = candidate('swap', 1, lambda: 9)[0]; assert f() == 9",
  'a dataclass':
    "p = candidate('same', [Point(1, [2, 3])])[0]; assert p == Point(1, [2, 3]) and dataclasses.asdict(p) == {'x': 1, 'y': [2, 3]}; assert candidate('total', Point(1, [2, 3])) == 6",
  'objects with methods of the test':
    "node = candidate('chain', 3); assert node.size() == 3 and repr(node) == 'Node(2)' and [node.value, node.next.value] == [2, 1]",
  'objects that a call changes':
    "nodes = [Node(1), Node(2)]; nodes[0].next = nodes[1]; first = candidate('reverse', nodes[0]); assert first is nodes[1] and first.next is nodes[0] and nodes[0].next is None",
  'slots and properties': "s = candidate('same', [Slim(1, [2])])[0]; assert s.a == 1 and s.b == [2]",
  'attributes of an object whose class the test lacks':
    "a = candidate('value', 'account'); assert a.balance == 5 and a.owner == Point(1, []) and type(a.owner) is Point",
  'an object of the test alone':
    "class Stack: pass\ns = Stack(); s.items, s.size = [], 0\ncandidate('push', s, 4); assert s.items == [4] and s.size == 1",
  'attributes of an exception':
    "try: candidate('fail', 7)\nexcept ValueError as error: assert (error.code, error.more, str(error), type(error).__name__) == (7, {'at': [1]}, 'broken', 'Broken')\nelse: assert False",
}

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
