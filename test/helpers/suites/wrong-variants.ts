import type { Files, Task } from '../../../src/schema/task.ts'

/** Wrong solutions of a task for one function, by what they do. Each is wrong whatever the function is. */
export type WrongVariants = Readonly<Record<string, Files>>

/** Returns stubs, constants, answers beside the right one, and programs that end, wait, print or look for the tests. */
export function wrongVariants(task: Task): WrongVariants {
  const [path = ''] = task.spec.editable
  const reference = task.hidden.solution?.files?.[path] ?? ''
  const write = task.spec.language === 'python' ? pythonVariants : scriptVariants
  const stub = task.files[path] ?? ''
  const variants = write(task.spec.entryPoint ?? '', { stub, reference, shown: shownValue(task) })
  return Object.fromEntries(Object.entries(variants).map(([name, text]) => [name, { [path]: text }]))
}

interface Texts {
  stub: string
  reference: string
  /** What the visible check expects, as a literal. */
  shown: string
}

/** Returns the value that a constant function must give to pass the visible check. */
function shownValue({ checks }: Task): string {
  const text = Object.values(checks).join('\n')
  const literal = /^(?!>>>|\.\.\.)(\S.*)$/m.exec(text) ?? /=== ([^,\n]+?)"/.exec(text)
  return literal?.[1] ?? 'null'
}

function pythonVariants(name: string, { stub, reference, shown }: Texts): Record<string, string> {
  const define = (body: string, before = '') =>
    `${stub}\n${before}\ndef ${name}(*args, **named):\n${body.replace(/^/gm, '    ')}\n`
  const constant = (value: string) => define(`return ${value}`)
  return {
    'nothing done': stub,
    'a stub': define('pass'),
    ...Object.fromEntries(
      ['0', '1', 'True', 'False', "''", '[]'].map((value) => [`the constant ${value}`, constant(value)]),
    ),
    'the constant of the visible check': constant(shown === 'null' ? 'None' : shown),
    'a value beside the right one': `_space = {'__name__': 'solution'}
exec(${JSON.stringify(reference)}, _space)
globals().update(_space)
def _beside(value):
    if isinstance(value, bool): return not value
    if isinstance(value, (int, float, complex)): return value + 1
    if isinstance(value, (str, list, tuple)): return value + type(value)('x')
    if isinstance(value, set): return value | {'x'}
    if isinstance(value, dict): return {**value, 'x': 'x'}
    return ['x'] if value is None else [*value, 'x']
def ${name}(*args, **named):
    return _beside(_space['${name}'](*args, **named))
`,
    'an exit at import': `${define('return None')}\nimport os\nos._exit(0)\n`,
    'an exit in a call': define('import os\nos._exit(0)'),
    'a SystemExit in a call': define('raise SystemExit(0)'),
    'what standard input says': define('return eval(input())'),
    'a search for the tests': define(
      'import os\nfor folder, _, files in os.walk("."):\n    for file in files:\n        if "check" in file: os.remove(os.path.join(folder, file))\nreturn None',
    ),
  }
}

function scriptVariants(name: string, { stub, reference, shown }: Texts): Record<string, string> {
  const define = (body: string, before = '') =>
    `${before}\nmodule.exports = { ${name}(...args) { ${body} } }\n`
  const constant = (value: string) => define(`return ${value}`)
  return {
    'nothing done': stub,
    'a stub': `${stub}\n}\n`,
    ...Object.fromEntries(
      ['0', '1', 'true', 'false', "''", '[]'].map((value) => [`the constant ${value}`, constant(value)]),
    ),
    'the constant of the visible check': constant(`JSON.parse(${JSON.stringify(parsable(shown))})`),
    'a value beside the right one': `const right = (() => {\n${reference}\nreturn ${name}\n})()
const beside = (value) => {
  if (typeof value === 'boolean') return !value
  if (typeof value === 'number') return value + 1
  if (typeof value === 'string') return value + 'x'
  if (Array.isArray(value)) return [...value, 'x']
  return value ? { ...value, x: 'x' } : 'x'
}
module.exports = { ${name}: (...values) => beside(right(...values)) }
`,
    'an exit at import': define('return undefined', 'process.exit(0)'),
    'an exit in a call': define('process.exit(0)'),
    'an assert that does nothing': define(
      'return 0',
      'console.assert = () => {}; require("assert").ok = () => {}',
    ),
    'what standard input says': define('return JSON.parse(require("fs").readFileSync(0, "utf8"))'),
    'a search for the tests': define(
      'require("fs").rmSync("tests", { recursive: true, force: true })\nreturn undefined',
    ),
  }
}

function parsable(text: string): string {
  try {
    JSON.parse(text)
    return text
  } catch {
    return 'null'
  }
}

/** Programs that never end by themselves. Each takes the whole time limit. */
export function endlessVariants(task: Task): WrongVariants {
  const [path = ''] = task.spec.editable
  const name = task.spec.entryPoint ?? ''
  const python = {
    'an endless loop': `def ${name}(*args):\n    while True: pass\n`,
    'an endless flood': `def ${name}(*args):\n    while True: print('x' * 1000)\n`,
  }
  const script = {
    'an endless loop': `module.exports = { ${name}() { for (;;); } }\n`,
    'an endless flood': `module.exports = { ${name}() { for (;;) console.log('x'.repeat(1000)) } }\n`,
  }
  const texts = task.spec.language === 'python' ? python : script
  return Object.fromEntries(Object.entries(texts).map(([label, text]) => [label, { [path]: text }]))
}
