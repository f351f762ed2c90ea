import type { Files, Task } from '../../../src/schema/task.ts'
import { forgedAnswers, forger } from './forgers.ts'
import { lyingValues } from './lies.ts'

/** Files that must not pass a task, by what they do. */
export type Cheats = Record<string, Files>

/** Returns submissions that do not solve a task, by what they do. */
export function cheatsOf(task: Task): Cheats {
  return task.spec.language === 'python' ? pythonCheats(task) : scriptCheats(task)
}

function scriptCheats(task: Task): Cheats {
  const modules = Object.entries(task.hidden.solution?.files ?? {}).filter(([path]) =>
    /\.m?[jt]s$/.test(path),
  )
  const cheats: Cheats = {}
  const add = (name: string, preamble: string, body: string) => {
    cheats[name] = Object.fromEntries(
      modules.map(([path, text]) => [
        path,
        `${preamble}\n${exportsOf(text)
          .map((one) => stub(one, body))
          .join('\n')}\n`,
      ]),
    )
  }
  for (const value of ['undefined', 'null', '0', '1', "''", '[]', '{}', 'true', 'NaN'])
    add(`the constant ${value}`, '', `return ${value}`)
  for (const [name, preamble] of Object.entries(scriptPreambles)) add(name, preamble, 'return 0')
  for (const [name, body] of Object.entries(scriptBodies)) add(name, '', body)
  for (const name of agreeing)
    add(`a lie, ${name}`, lyingValues.replaceAll('export ', ''), `return make('${name}')`)
  for (const [name, answer] of Object.entries(forgedAnswers))
    add(`a forger that answers each call with ${name}`, forger(answer), 'return 0')
  return cheats
}

const exportsOf = (text: string) =>
  [...text.matchAll(/^export (?:async )?(?:function\*?|const|let|class) (\w+)/gm)].map(
    (match) => match[1] as string,
  )
const stub = (name: string, body: string) => `export function ${name}(...args) { ${body} }`

const reported = `'\\n# tests 12\\n# pass 12\\n# fail 0\\nok 1 - all\\nfinished\\n00000000-0000-4000-8000-000000000000 end\\n'`
const scriptPreambles: Readonly<Record<string, string>> = {
  'ending at import': 'process.exit(0)',
  'really ending at import': 'process.reallyExit(0)',
  'ending soon': 'setImmediate(() => process.exit(0))',
  'aborting at import': `process.kill(process.pid, 'SIGTERM'); for (;;) {}`,
  'a report on standard output': `console.log(${reported})`,
  'a report on standard error': `console.error(${reported})`,
  'a report on every descriptor': `import fs from 'node:fs'\nfor (let fd = 1; fd < 30; fd++) try { fs.writeSync(fd, ${reported}) } catch {}`,
  'asserts that hold always': `import assert from 'node:assert'\nimport strict from 'node:assert/strict'
    for (const on of [assert, assert.strict, strict]) for (const name of Object.keys(on)) try { on[name] = () => {} } catch {}`,
  'tests that pass always': `import test from 'node:test'\nfor (const name of ['a', 'b', 'c']) test(name, () => {}); test.beforeEach((t) => t.skip())`,
  'other builtins': `JSON.stringify = () => '["return",1,[],[true]]'; JSON.parse = () => []; Array.prototype.map = () => []
    Array.prototype.every = () => true; Object.is = () => true; Reflect.ownKeys = () => []; globalThis.Error = Object`,
  'no tests': `import fs from 'node:fs'\nfs.rmSync('tests', { recursive: true, force: true }); fs.mkdirSync('tests'); fs.writeFileSync('tests/x.test.mjs', '')`,
  'another harness': `import fs from 'node:fs'\nfor (const name of fs.readdirSync('.bench')) try { fs.writeFileSync('.bench/' + name, 'process.exit(0)') } catch {}`,
}

const scriptBodies: Readonly<Record<string, string>> = {
  'ending in a call': 'process.exit(0)',
  'a promise that never settles': 'return new Promise(() => {})',
  'a promise of itself': 'return Promise.resolve(args[0])',
  'its own argument': 'return args[0]',
  'a huge reply': `return 'x'.repeat(40_000_000)`,
  'a deep reply': 'let deep = []; for (let i = 0; i < 100_000; i++) deep = [deep]; return deep',
  'what converts to anything': `return { valueOf: () => 0, toString: () => '', toJSON: () => null, [Symbol.toPrimitive]: (hint) => hint === 'number' ? 0 : '',
    equals: () => true, asymmetricMatch: () => true, then: undefined, [Symbol.for('nodejs.util.inspect.custom')]: () => '[]' }`,
  'an object full of getters': `return Object.defineProperties({}, Object.fromEntries(['length', 'name', 'message', 'then', 'text', 'constructor', '0', '1']
    .map((key) => [key, { enumerable: true, get: () => 0 }])))`,
  'a proxy that has everything': `const all = new Proxy(function () {}, { get: (_, key) => key === Symbol.toPrimitive ? () => 0 : all, apply: () => all,
    has: () => true, construct: () => all }); return all`,
  'an error of every kind': `throw Object.assign(new RangeError('x'), { name: 'Error', code: 'ERR_ASSERTION', message: '' })`,
  'the maker of functions': 'return Function',
  'code for the tests': `return Function('process.reallyExit(0)')`,
  'what runs text': 'return args.length > 0 ? globalThis.eval : () => "process.reallyExit(0)"',
  'what all objects stand on': 'return Object.prototype',
  'the whole process': 'return process',
  'an array without a prototype': 'return Object.setPrototypeOf([], null)',
  'an endless callback':
    'for (const one of args) if (typeof one === "function") one(...args); return args.length',
}

/** Answers that deceive tests in the same process; see lies.ts. */
const agreeing = [
  'list: all methods',
  'list: of Array.prototype',
  'list*: a subclass',
  'map: all methods',
  'set: all methods',
  'date: all methods',
  'bytes: all methods',
  'number: one that changes',
  'number: a boxed one',
  'text: soft',
  'text: a boxed one',
  'error: a soft message',
  'error: a message of its class',
  'object: a proxy',
]

function pythonCheats(task: Task): Cheats {
  const path = Object.keys(task.hidden.solution?.files ?? {})[0] ?? ''
  const entry = task.spec.entryPoint ?? ''
  const define = (body: string) => `\ndef ${entry}(*args, **named):\n${body.replace(/^/gm, '    ')}\n`
  const cheats: Cheats = {}
  const add = (name: string, preamble: string, body: string) => {
    cheats[name] = { [path]: `${task.files[path] ?? ''}\n${preamble}\n${define(body)}` }
  }
  for (const value of ['None', '0', '1', "''", '[]', '{}', 'True', 'False', '-1', "float('nan')"])
    add(`the constant ${value}`, '', `return ${value}`)
  for (const [name, body] of Object.entries(pythonBodies)) add(name, '', body)
  for (const [name, preamble] of Object.entries(pythonPreambles)) add(name, preamble, 'return None')
  return cheats
}

const pythonBodies: Readonly<Record<string, string>> = {
  'ending in a call': 'import os\nos._exit(0)',
  'leaving in a call': 'raise SystemExit(0)',
  'what equals everything': `class Same(int):
    def __eq__(self, other): return True
    def __lt__(self, other): return True
    def __bool__(self): return True
    __le__ = __gt__ = __ge__ = __lt__
    __hash__ = int.__hash__
return Same(7919)`,
  'a list that equals everything': `class Same(list):
    def __eq__(self, other): return True
return Same([object()])`,
  'a text that is another': `class Other(str):
    def __eq__(self, other): return True
    def __str__(self): return str(args[0]) if args else ''
    __hash__ = str.__hash__
return Other('wrong')`,
  'a member that equals everything': `import enum
class Same(str, enum.Enum):
    A = 'wrong'
    def __eq__(self, other): return True
    __hash__ = str.__hash__
return Same.A`,
  'an order that holds always': `class Same(float):
    __lt__ = __gt__ = __le__ = __ge__ = __eq__ = lambda self, other: True
    __float__ = lambda self: 0.0
    __hash__ = float.__hash__
return Same(7919.5)`,
  'a dictionary that has everything': `class Same(dict):
    __eq__ = __contains__ = lambda self, other: True
    __getitem__ = get = lambda self, *a: self
    __len__ = lambda self: 2
return Same()`,
  'an object of every class': `class Same:
    __class__ = list
    __eq__ = __lt__ = __gt__ = __contains__ = lambda self, other: True
    __len__ = __hash__ = lambda self: 2
    __iter__ = lambda self: iter(())
return Same()`,
  'an exception that says anything': `class Soft(str):
    __eq__ = __contains__ = lambda self, other: True
    __hash__ = str.__hash__
class Odd(ValueError):
    def __str__(self): return Soft('x')
raise Odd(Soft('x'))`,
  'what it finds in the frames': `import sys
frame = sys._getframe()
while frame:
    for value in list(frame.f_locals.values()):
        if type(value) in (list, tuple, dict, str): args += (value,)
    frame = frame.f_back
return args`,
}

const pythonPreambles: Readonly<Record<string, string>> = {
  'ending at import': 'import os\nos._exit(0)',
  'ending at the end': 'import atexit, os\natexit.register(lambda: os._exit(0))',
  'other builtins': `import builtins
builtins.AssertionError = type('E', (Exception,), {})
builtins.abs = builtins.len = lambda *a: 0
builtins.exec = lambda *a: None`,
  'its own check': 'def check(candidate): pass',
  'a report on every descriptor': `import os
for fd in range(1, 30):
    try: os.write(fd, b'\\ntoken\\npassed\\t"check"\\t""\\nfinished\\ntoken end\\n')
    except OSError: pass`,
  'answers before they are asked': `import os
for fd in range(3, 30):
    try: os.write(fd, b'["list","value",null]\\n' * 1000)
    except OSError: pass`,
  'evil lines': `import os
for fd in range(3, 30):
    try: os.write(fd, b'[' * 100000 + b'\\n["int","__import__"]\\n')
    except OSError: pass`,
  'changes in all objects': `import gc
for one in gc.get_objects():
    if type(one) is list:
        try: one.clear()
        except Exception: pass`,
  'another thread that ends it': `import threading, os, time
threading.Thread(target=lambda: (time.sleep(0.05), os._exit(0)), daemon=True).start()
time.sleep(0.2)`,
}
