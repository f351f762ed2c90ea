import { join } from 'node:path'
import pMap from 'p-map'
import { expect, it } from 'vitest'
import { seededRandom, shuffled } from '../../../src/base/random.ts'
import { runChecks } from '../../../src/graders/check.ts'
import { grade } from '../../../src/graders/grade.ts'
import { spawnUnsandboxed } from '../../../src/sandbox/process/spawn.ts'
import type { Files, Task } from '../../../src/schema/task.ts'
import { humanevalJs } from '../../../src/suites/humaneval-js.ts'
import { mbpp } from '../../../src/suites/mbpp.ts'
import { quixbugs } from '../../../src/suites/quixbugs.ts'
import type { Importer } from '../../../src/suites/suite.ts'
import { level } from '../../helpers/house/level.ts'
import { type Need, needs } from '../../helpers/house/needs.ts'
import { readSuite } from '../../helpers/suites/read-suite.ts'

/** Wrong solutions of a task for one function, by what they do. Each is wrong whatever the function is. */
type WrongVariants = Readonly<Record<string, Files>>

/** Returns stubs, constants, answers beside the right one, and programs that end, wait, print or look for the tests. */
function wrongVariants(task: Task): WrongVariants {
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
function endlessVariants(task: Task): WrongVariants {
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

/** A public suite in a folder that BENCH_SHARED_SUITES names, and what is known of it. */
interface PublicSuite {
  need: Need
  importer: Importer
  path: string
  /** References that fail, by the task's id, with a part of the reason. */
  failing: Readonly<Record<string, string>>
  /** Wrong variants that pass, each as `id: variant`. docs/reference/suites.md gives the reasons. */
  passing: readonly string[]
}

const suites: readonly PublicSuite[] = [
  {
    need: 'MBPP in BENCH_SHARED_SUITES',
    importer: mbpp,
    path: 'mbpp/mbpp.jsonl',
    // The whole file: the reference needs more than the time limit.
    failing: { '123': 'still running' },
    // Its three asserts are one and the same.
    passing: ['37: the constant of the visible check'],
  },
  {
    need: 'MBPP in BENCH_SHARED_SUITES',
    importer: mbpp,
    path: 'mbpp/sanitized-mbpp.json',
    failing: { '123': 'still running' },
    // They compare thousands with a tolerance of a thousandth.
    passing: ['82: a value beside the right one', '85: a value beside the right one'],
  },
  {
    need: 'HumanEval-X in BENCH_SHARED_SUITES',
    importer: humanevalJs,
    path: 'humaneval-js/humaneval_js.jsonl',
    failing: { 'JavaScript-162': "Cannot find module 'js-md5'" },
    passing: [],
  },
  {
    need: 'QuixBugs in BENCH_SHARED_SUITES',
    importer: quixbugs,
    path: 'quixbugs',
    failing: {},
    passing: [],
  },
]

const { signal } = new AbortController()

const tasksOfEach = level(2, Number.POSITIVE_INFINITY)

for (const { need, importer, path, failing, passing } of suites)
  needs(need, 'python3').describe(`${importer.name} as published, ${path}`, { timeout: 3_600_000 }, () => {
    const chosen = async () => {
      const source = join(process.env.BENCH_SHARED_SUITES ?? '', path)
      const { tasks, problems } = await readSuite(importer, source)
      expect(problems).toEqual([])
      return shuffled(tasks, seededRandom('public suites')).slice(0, tasksOfEach)
    }
    const gradeAll = async (
      tasks: readonly Task[],
      variants: (task: Task) => Readonly<Record<string, Files>>,
    ) => {
      const pairs = tasks.flatMap((task) =>
        Object.entries(variants(task)).map((one) => [task, ...one] as const),
      )
      return pMap(
        pairs,
        async ([task, name, files]) => ({ task, name, result: await gradeOne(task, files) }),
        {
          concurrency: 2,
        },
      )
    }

    it('passes references, in grades and visible checks', async () => {
      const tasks = await chosen()
      const graded = await gradeAll(tasks, ({ hidden }) => ({ reference: hidden.solution?.files ?? {} }))
      for (const { task, result } of graded) {
        const reason = failing[task.spec.id]
        expect(result.passed, `${task.ref}: ${result.scores[0]?.reason}`).toBe(reason === undefined)
        if (reason !== undefined) expect(result.scores[0]?.reason).toContain(reason)
      }
      const checkable = tasks.filter(({ spec }) => spec.checks && failing[spec.id] === undefined)
      await pMap(
        checkable,
        async (task) => {
          const checked = await runChecks(task, task.hidden.solution?.files ?? {}, spawnUnsandboxed, signal)
          expect(checked.status, `${task.ref}: ${checked.output}`).toBe('passed')
        },
        { concurrency: 2 },
      )
    })

    it('fails wrong variants', async () => {
      const tasks = (await chosen()).map((task) => hurried(task, 5000))
      const graded = await gradeAll(tasks, wrongVariants)
      const passed = graded.filter(({ result }) => result.passed)
      const ids = new Set(tasks.map(({ spec }) => spec.id))
      const expected = passing.filter((one) => ids.has(one.split(': ')[0] ?? ''))
      expect(passed.map(({ task, name }) => `${task.spec.id}: ${name}`).sort()).toEqual([...expected].sort())
    })

    it('ends programs that never end', async () => {
      const tasks = (await chosen())
        .slice(0, Math.min(5, Math.ceil(tasksOfEach / 20)))
        .map((task) => hurried(task, 2000))
      const graded = await gradeAll(tasks, endlessVariants)
      expect(graded.filter(({ result }) => result.passed)).toEqual([])
    })
  })

const gradeOne = (task: Task, files: Files) =>
  grade(task, { files: { ...task.files, ...files }, answer: undefined, run: spawnUnsandboxed, signal })

/** Returns the task with a short time limit, for what never ends. */
function hurried(task: Task, timeoutMs: number): Task {
  const graders = task.spec.graders.map((spec) => ('timeoutMs' in spec ? { ...spec, timeoutMs } : spec))
  return { ...task, spec: { ...task.spec, graders } }
}
