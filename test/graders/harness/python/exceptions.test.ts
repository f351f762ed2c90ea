import { expect, it } from 'vitest'
import { needs } from '../../../helpers/house/needs.ts'
import { tableOf } from '../../../helpers/house/tables.ts'
import { judgeTwice, passed } from './judge-twice.ts'

/** Statements of a solution that raise an exception, each with what is true of it in the process of the tests. */
const raised: Record<string, [raises: string, holds: string]> = tableOf(import.meta.url, 'raised')

/** Classes of a solution that have only the name of a built-in one. */
const alike: Record<string, [raises: string, wrong: string]> = {
  'a name': ["class KeyError(Exception): pass\nraise KeyError('k')", 'KeyError'],
  'a name that was set': [
    "class E(Exception): pass\nE.__name__ = E.__qualname__ = 'AssertionError'; E.__module__ = 'builtins'\nraise E('k')",
    'AssertionError',
  ],
  'a name of the library': [
    "class JSONDecodeError(ValueError): __module__ = 'json.decoder'\nraise JSONDecodeError('k')",
    'json.JSONDecodeError',
  ],
}

const indent = (text: string) => text.replace(/^/gm, '        ')
const casesOf = (cases: Record<string, readonly [string, string]>) =>
  Object.values(cases)
    .map(([raises], at) => `    if x == ${at}:\n${indent(raises)}\n`)
    .join('')

needs('python3').describe('an exception of the solution', () => {
  it('arrives with its class and its plain arguments', async () => {
    const source = `def twice(x):\n${casesOf(raised)}    return x\n`
    const forms = Object.entries(raised).map(
      ([name, [, holds]], at) => `(${at}, ${JSON.stringify(name)}, lambda e: ${holds})`,
    )
    const lines = `import decimal, json
wrong = []
for at, name, holds in [${forms.join(', ')}]:
    try:
        candidate(at)
        wrong.append(name + ': nothing')
    except BaseException as e:
        if not holds(e): wrong.append((name, type(e), e.args, str(e)))
assert wrong == [], wrong`
    expect(await judgeTwice(source, lines)).toBe(passed)
  })

  it('is not caught as a class that it only has the name of', async () => {
    const source = `def twice(x):\n${casesOf(alike)}    return x\n`
    const forms = Object.values(alike).map(([, kind], at) => `(${at}, ${kind})`)
    const lines = `import json
wrong = []
for at, kind in [${forms.join(', ')}]:
    try: candidate(at)
    except kind: wrong.append(kind)
    except Exception as e:
        if type(e).__name__ != kind.__name__ or e.args != ('k',): wrong.append((kind, e.args))
assert wrong == [], wrong`
    expect(await judgeTwice(source, lines)).toBe(passed)
  })
})

needs('python3').describe('an exception of the tests', () => {
  it('reaches the solution with its plain arguments', async () => {
    const source = `def twice(items):
    try:
        return list(items)
    except KeyError as e:
        return e.args
`
    const lines = `def items():
    yield 1
    raise KeyError('k', 2)
assert candidate(items()) == ('k', 2)`
    expect(await judgeTwice(source, lines)).toBe(passed)
  })
})

needs('python3').it('changes of named arguments are copied back', async () => {
  const source = 'def twice(x, *, more): x.append(1); more["a"] = 2\n'
  const lines = `x, more = [], {}
candidate(more=more, x=x)
assert (x, more) == ([1], {'a': 2}), (x, more)`
  expect(await judgeTwice(source, lines)).toBe(passed)
})

/** A solution that sends lines of its own in the place of the answer to a call. */
const forging = (line: string) => `import sys
def twice(x):
    channel = sys.modules['bench_link'].link.channel
    channel.write(${line})
    while channel.read(): channel.write(${line})
`

needs('python3').describe('what a Python solution forges', () => {
  it('is refused if its parts do not make a value of its kind', async () => {
    const lines = `from bench_values import NotUnderstood, decode
number = '["int","1"]'
forged = [
    '["fractions.Fraction",%s,["int","0"]]' % number, '["fractions.Fraction",%s,"3"]' % number, '["fractions.Fraction","7/2"]', '["fractions.Fraction",["foreign","3","int"],%s]' % number,
    '["fractions.Fraction",["float","0x1p0"],%s]' % number, '["decimal.Decimal","three"]', '["decimal.Decimal",%s]' % number, '["decimal.Decimal","3","4"]',
    '["collections.deque",["int","-1"]]', '["collections.deque","many"]', '["collections.deque"]', '["collections.ChainMap",["list"]]', '["collections.UserList","abc"]', '["collections.UserDict",["list"]]',
    '["collections.defaultdict",["list"]]', '["collections.abc.Iterator"]', '["collections.namedtuple","A","b"]', '["datetime.date",%s,%s,["int","ff"]]' % (number, number),
    '["datetime.datetime",["foreign","utc","tzinfo"],%s,%s,%s,%s,%s,%s,%s,%s]' % ((number,) * 8), '["datetime.timedelta",["int","%s"],%s,%s]' % ('f' * 90, number, number),
    '["datetime.timezone",["datetime.timedelta",["int","2"],%s,%s]]' % (number, number), '["uuid.UUID",["int","-1"]]', '["uuid.UUID","x"]', '["array.array","q","x"]', '["array.array",["int","1"]]', '["array.array","no"]',
    '["builtins.memoryview","P",["bytes","00"]]', '["builtins.memoryview","q",["bytes","00"]]', '["builtins.type","object"]', '["builtins.type","type"]', '["builtins.eval","1"]', '["os.system","true"]', '["pathlib.Path","."]',
    '["types.SimpleNamespace","__class__",null]', '["types.SimpleNamespace",%s,null]' % number, '["types.FunctionType"]',
    '["namedtuple","A b",["tuple"]]', '["namedtuple","A",["tuple","class"],null]', '["namedtuple","A",["tuple","__eq__"],null]', '["namedtuple","A",["tuple","x","x"],null,null]', '["namedtuple","A",["tuple","x"]]', '["namedtuple","A","x",null]', '["namedtuple",["tuple"],["tuple"]]',
    '["numpy.ndarray","|O",["tuple",%s],["bytes","0000000000000000"]]' % number, '["numpy.ndarray","<f8",["tuple",["int","fffffffffffffff"]],["bytes",""]]', '["numpy.load","x"]',
    '["numpy.scalar","<f8",["stream",["int","0"],false],["bytes",""]]', '["stream","x",true]', '["stream",["int","0"]]', '["returned",["int","0"]]', '["returned","x"]', '["pull",["int","0"]]' + 'x',
    '["builtins.dict_items",null]' + ']', '["foreign"]', '["foreign",["foreign"]]', '["int",1]', '[["list"]]', '[]', '{}', '1', 'NaN', '["collections.deque",null,' * 20000,
]
understood = []
for line in forged:
    try: understood.append((line[:80], decode(line)))
    except NotUnderstood: pass
assert understood == [], understood`
    expect(await judgeTwice('def twice(x): return x', lines)).toBe(passed)
  })

  it('is built from plain parts, and equals nothing by itself', async () => {
    const lines = `from bench_values import decode
from fractions import Fraction
mark = '["foreign","everything","Any"]'
odd = [decode(line % ((mark,) * line.count('%s'))) for line in (
    '["collections.Counter","a",%s]', '["collections.UserDict",["dict","a",%s]]', '["collections.deque",null,%s]', '["namedtuple","Pair",["tuple","count","index"],%s,%s]', '["builtins.dict_values",%s]',
    '["types.SimpleNamespace","a",%s]', '["builtins.slice",%s,%s,%s]', '["collections.ChainMap",["dict","a",%s]]', '["stream",["int","9"],true]', '["stream",["int","8"],false]')]
for value in odd:
    assert not any(value == other for other in ({'a': 1}, [1], (1, 1), 1, 'a', None, True, {1}, Fraction(1))), value
assert not callable(odd[3].count)`
    expect(await judgeTwice('def twice(x): return x', lines)).toBe(passed)
  })

  it.each(tableOf<[string, string][]>(import.meta.url, 'failsTrial'))(
    'fails the trial: %s',
    async (_, line) => {
      expect(await judgeTwice(forging(line), 'assert candidate(2) == 4')).toMatch(
        /^0 of 1 tests passed\. the solution's process (sent (an answer|a line) that cannot be understood|asked for an iterator that it never received), in the test/,
      )
    },
  )

  it('wastes no time with absurd exponents, and does not pass by them', async () => {
    const source = `from decimal import Decimal
from fractions import Fraction
def twice(x): return [Decimal('1e999999999999999999'), Decimal('-1e-999999999999999999'), Decimal('9' * 50000), Fraction(1, 10**50000), Decimal('NaN')]`
    const lines = `from fractions import Fraction
values = candidate(2)
agreeing = [v for v in values for right in (4, 4.0, Fraction(4), 10**40, 0) if v == right or right == v or v in {4, 0} or float(v) == 4]
assert agreeing == [], len(agreeing)
assert values[0] > 10**100 and -1 < values[1] < 0 and 0 < values[3] < 1`
    expect(await judgeTwice(source, lines, { timeoutMs: 5000 })).toBe(passed)
  })

  it.each(tableOf<[string, string, string][]>(import.meta.url, 'failsThough'))(
    'fails, though odd: %s',
    async (_, source, reason) => {
      expect(await judgeTwice(source, 'assert list(candidate(2)) == [4]')).toContain(reason)
    },
  )
})
