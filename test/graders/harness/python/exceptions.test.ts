import { expect, it } from 'vitest'
import { needs } from '../../../helpers/house/needs.ts'
import { judgeTwice, passed } from './judge-twice.ts'

/** Statements of a solution that raise an exception, each with what is true of it in the process of the tests. */
const raised: Record<string, [raises: string, holds: string]> = {
  'a key': ["{}['k']", "type(e) is KeyError and e.args == ('k',)"],
  'a key that is a number': ['raise KeyError(5)', "e.args == (5,) and str(e) == '5'"],
  'two arguments': ["raise ValueError('a', 3)", "type(e) is ValueError and e.args == ('a', 3)"],
  'no argument': ['raise ValueError', "e.args == () and str(e) == ''"],
  'a file that is missing': [
    "open('none.txt')",
    "type(e) is FileNotFoundError and (e.errno, e.filename) == (2, 'none.txt') and e.strerror",
  ],
  'a number of the system': [
    "raise OSError(5, 'broken')",
    "type(e) is OSError and (e.errno, e.strerror, e.filename) == (5, 'broken', None)",
  ],
  'bytes that are no text': [
    "b'a\\xff'.decode('utf-8')",
    "type(e) is UnicodeDecodeError and (e.start, e.end, e.object, e.encoding) == (1, 2, b'a\\xff', 'utf-8')",
  ],
  'text that is no JSON': [
    "import json; json.loads('[1,\\n x]')",
    "type(e) is json.JSONDecodeError and (e.pos, e.lineno, e.colno, e.doc) == (5, 2, 2, '[1,\\n x]') and isinstance(e, ValueError)",
  ],
  'a division of decimals': [
    'import decimal; decimal.Decimal(1) / 0',
    'isinstance(e, decimal.DivisionByZero) and isinstance(e, ZeroDivisionError)',
  ],
  'an exit': ['raise SystemExit(3)', 'type(e) is SystemExit and e.code == 3'],
  'the end of an iterator': ['raise StopIteration(7)', 'type(e) is StopIteration and e.value == 7'],
  'a missing module': [
    'import nothing_like_it',
    "type(e) is ModuleNotFoundError and e.name == 'nothing_like_it'",
  ],
  'a missing name': ['unheard_of', "type(e) is NameError and 'unheard_of' in str(e)"],
  'a group': [
    "import builtins; raise getattr(builtins, 'ExceptionGroup', Exception)('two', [ValueError('a')])",
    "'two' in str(e)",
  ],
  'an argument that cannot be sent': [
    "raise KeyError('a', object())",
    'isinstance(e, KeyError) and len(e.args) == 1 and str(e).startswith("(\'a\', <object")',
  ],
  'an argument that contains itself': [
    'x = []; x.append(x); raise ValueError(x)',
    "isinstance(e, ValueError) and str(e) == '[[...]]'",
  ],
  'a class of its own': [
    "class Bad(ValueError):\n    code = 4\n    def __str__(self): return 'bad ' + self.args[0]\nraise Bad('x', 1)",
    "isinstance(e, ValueError) and type(e).__name__ == 'Bad' and e.args == ('x', 1) and str(e) == 'bad x' and not hasattr(e, 'code')",
  ],
  'a class of its own, with arguments of its own': [
    'class Bad(UnicodeDecodeError):\n    def __init__(self, x): pass\n    def __new__(cls, x): return UnicodeDecodeError.__new__(cls)\nraise Bad(1)',
    "isinstance(e, UnicodeDecodeError) and type(e).__name__ == 'Bad'",
  ],
}

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
