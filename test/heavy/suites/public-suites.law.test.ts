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
import { endlessVariants, wrongVariants } from '../../helpers/suites/wrong-variants.ts'

/** A public suite in a folder that BENCH_SHARED_SUITES names, and what is known of it. */
interface PublicSuite {
  need: Need
  importer: Importer
  path: string
  /** References that fail, by the task's id, with a part of the reason. */
  failing: Readonly<Record<string, string>>
  /** Wrong variants that pass, each as `id: variant`. docs/guides/public-suites.md gives the reasons. */
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
