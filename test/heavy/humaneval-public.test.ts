import { join } from 'node:path'
import pMap from 'p-map'
import { expect, it } from 'vitest'
import { runChecks } from '../../src/graders/check.ts'
import { grade } from '../../src/graders/grade.ts'
import { spawnUnsandboxed } from '../../src/sandbox/process/spawn.ts'
import type { Files, Task } from '../../src/schema/task.ts'
import { humaneval } from '../../src/suites/humaneval.ts'
import { needs } from '../helpers/house/needs.ts'
import { tableOf } from '../helpers/house/tables.ts'
import { readSuite } from '../helpers/suites/read-suite.ts'

// HumanEval itself is not part of this package: BENCH_SHARED_SUITES names a folder with humaneval/HumanEval.jsonl.
const suites = process.env.BENCH_SHARED_SUITES
const path = join(suites ?? '', 'humaneval')
const { signal } = new AbortController()

/** Right solutions whose result is no plain value. */
const honest: [ref: string, kind: string, body: string][] = tableOf(import.meta.url, 'honest')

needs('HumanEval in BENCH_SHARED_SUITES', 'python3').describe(
  'HumanEval as published',
  { timeout: 300_000 },
  async () => {
    const { tasks, problems } =
      suites === undefined ? { tasks: [], problems: [] } : await readSuite(humaneval, path)

    const passing = async (files: (task: Task) => Files) => {
      const results = await pMap(
        tasks,
        async (task) => {
          const delivery = { files: files(task), answer: undefined, run: spawnUnsandboxed, signal }
          return (await grade(task, delivery)).passed ? [] : [task.ref]
        },
        { concurrency: 2 },
      )
      return { passed: tasks.length - results.flat().length, failed: results.flat() }
    }

    it('loads as 164 tasks, 76 of them with visible checks', () => {
      expect(problems).toEqual([])
      expect(tasks).toHaveLength(164)
      expect(tasks.filter(({ spec }) => spec.checks)).toHaveLength(76)
    })

    it('passes with every reference solution', async () => {
      expect(await passing((task) => task.hidden.solution?.files ?? {})).toEqual({ passed: 164, failed: [] })
    })

    it.each(honest)('passes %s with a result of a library type: %s', async (ref, _, body) => {
      const task = tasks.find((one) => one.ref === `humaneval/${ref}`) as Task
      const files = { 'solution.py': `${task.files['solution.py']}${body}` }
      const delivery = { files, answer: undefined, run: spawnUnsandboxed, signal }
      expect((await grade(task, delivery)).scores[0]?.reason).toBe('1 of 1 tests passed')
    })

    it('fails with every stub', async () => {
      const stub = (task: Task) => ({ 'solution.py': `${task.files['solution.py']}    pass\n` })
      expect((await passing(stub)).passed).toBe(0)
    })

    it('lets the references pass their visible checks, except the few whose examples are wrong as published', async () => {
      const withChecks = tasks.filter(({ spec }) => spec.checks)
      const results = await pMap(
        withChecks,
        async (task) => ({
          ref: task.ref,
          result: await runChecks(task, task.hidden.solution?.files ?? {}, spawnUnsandboxed, signal),
        }),
        { concurrency: 2 },
      )
      const failed = results.filter(({ result }) => result.status !== 'passed').map(({ ref }) => ref)
      // Their examples contradict their own tests: openai/human-eval pull request 23, evalplus issue 12.
      expect(failed).toEqual(['humaneval/HumanEval-47', 'humaneval/HumanEval-116'])
    })
  },
)
