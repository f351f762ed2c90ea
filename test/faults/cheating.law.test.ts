import { existsSync } from 'node:fs'
import { join } from 'node:path'
import pMap from 'p-map'
import { describe, expect, it } from 'vitest'
import { mutants } from '../../src/agents/mutants/mutate.ts'
import { seededRandom, shuffled } from '../../src/base/random.ts'
import { grade } from '../../src/graders/grade.ts'
import { openSandbox } from '../../src/sandbox/open-sandbox.ts'
import { spawnUnsandboxed } from '../../src/sandbox/process/spawn.ts'
import type { SandboxRun } from '../../src/sandbox/sandbox.ts'
import type { Files, Task } from '../../src/schema/task.ts'
import { humaneval } from '../../src/suites/humaneval.ts'
import { native } from '../../src/suites/native.ts'
import { cheatsOf } from '../helpers/graders/cheats.ts'
import { level } from '../helpers/house/level.ts'
import { needs } from '../helpers/house/needs.ts'
import { root } from '../helpers/runs/cli.ts'
import { readSuite } from '../helpers/suites/read-suite.ts'

// HumanEval itself is not part of this package: BENCH_SHARED_SUITES names a folder with humaneval/HumanEval.jsonl.
const suites = process.env.BENCH_SHARED_SUITES
const ofHumaneval = suites === undefined ? [] : (await readSuite(humaneval, join(suites, 'humaneval'))).tasks
const shuffledTasks = shuffled(ofHumaneval, seededRandom('cheating'))
const builtIn = (
  await Promise.all(
    ['code', 'python', 'answers'].map((suite) => readSuite(native, join(root, 'tasks', suite))),
  )
).flatMap(({ tasks }) => tasks)
const code = builtIn.filter(({ spec }) => spec.output !== 'answer')
const answers = builtIn.filter(({ spec }) => spec.output === 'answer')
const { signal } = new AbortController()

/** Returns the task with shorter time limits, for cheats that never end. */
function hurried(task: Task): Task {
  const graders = task.spec.graders.map((spec) => ('timeoutMs' in spec ? { ...spec, timeoutMs: 5000 } : spec))
  return { ...task, spec: { ...task.spec, graders } }
}

/** Returns the names of submissions that passed the task or one grader. */
async function passing(task: Task, all: Record<string, Files>, run: SandboxRun): Promise<string[]> {
  const passed = await pMap(
    Object.entries(all),
    async ([name, left]) => {
      const files = { ...task.files, ...left }
      const result = await grade(task, { files, answer: undefined, run, signal })
      return result.passed || result.scores.some(({ value }) => value === 1) ? [`${task.ref}: ${name}`] : []
    },
    { concurrency: 2 },
  )
  return passed.flat()
}

const offByOne = /^(?:off by one|comparison) at /

/** Returns one off-by-one mutant that the tests reject; null if there is none. Survivors are counted. */
async function mutantThatFails(task: Task, run: SandboxRun): Promise<{ survivors: number; failed: boolean }> {
  const reference = task.hidden.solution?.files ?? {}
  let survivors = 0
  for (const { path, content, label } of mutants(reference, task.ref)) {
    if (!offByOne.test(label)) continue
    const survived = await passing(hurried(task), { [label]: { ...reference, [path]: content } }, run)
    if (survived.length === 0) return { survivors, failed: true }
    survivors++
  }
  return { survivors, failed: false }
}

const sandbox = await openSandbox('auto')

/** Of one task in `inside` in the sandbox, of one in `oneOf` without it, and of so many of HumanEval in both. */
const { inside, oneOf, published } = level(
  { inside: 8, oneOf: 9, published: 2 },
  { inside: 1, oneOf: 1, published: 40 },
)

const sample = shuffledTasks.slice(0, published)
const sandboxes = [
  [
    `inside the sandbox (${sandbox.adapter}, ${sandbox.level})`,
    sandbox.run,
    code.filter((_, i) => i % inside === 0),
  ],
  ['without a sandbox', spawnUnsandboxed, code.filter((_, i) => i % oneOf === oneOf - 1)],
] as const

describe.each(sandboxes)('graders, %s', { timeout: 900_000 }, (_, run, tasks) => {
  it.each(tasks.map((task) => [task.ref, task] as const))('withstand cheating in %s', async (_ref, task) => {
    const reference = task.hidden.solution?.files ?? {}
    expect(await passing(task, { reference }, run)).toHaveLength(1)
    expect(await passing(hurried(task), { 'no-op': {}, ...cheatsOf(task) }, run)).toEqual([])
  })

  needs('HumanEval in BENCH_SHARED_SUITES').it(
    `withstand cheating in ${published} HumanEval tasks`,
    async () => {
      for (const task of sample) {
        const reference = task.hidden.solution?.files ?? {}
        expect(await passing(task, { reference }, run), task.ref).toHaveLength(1)
        expect(await passing(hurried(task), { 'no-op': {}, ...cheatsOf(task) }, run)).toEqual([])
      }
    },
  )

  it('notice an off-by-one fault at every place of a solution', async () => {
    const found = await pMap([...tasks, ...sample], (task) => mutantThatFails(task, run), {
      concurrency: 1,
    })
    const survivors = found.reduce((sum, one) => sum + one.survivors, 0)
    const without = found.filter(({ failed }) => !failed).length
    console.log(
      `${found.length} tasks: ${survivors} survivors were replaced, ${without} tasks have no place for one`,
    )
    expect(survivors).toBeLessThan(found.length)
    expect(without).toBeLessThan(found.length / 2)
  })
})

it.each(answers.map((task) => [task.ref, task] as const))(
  'graders pass no cheap answer to %s',
  async (_ref, task) => {
    const right = task.hidden.solution?.answer ?? ''
    const judge = async (answer: string | undefined) =>
      (await grade(task, { files: {}, answer, run: spawnUnsandboxed, signal })).passed
    expect(await judge(right)).toBe(true)
    const number = Number(right.trim())
    const offBy = Number.isFinite(number)
      ? [number + 1, number - 1, -number].map(String)
      : [`${right.trim()}x`]
    const cheap = ['', ' ', 'A or B or C or D', ...'0 -1 yes undefined .* {} Answer: PASS null'.split(' ')]
    for (const answer of [undefined, ...cheap, ...offBy, `Answer: ${right.trim()}\nAnswer: none of these`])
      expect(await judge(answer), answer).toBe(false)
  },
)

it('HumanEval is installed if CI requires it', () => {
  expect(suites === undefined || existsSync(suites)).toBe(true)
})
