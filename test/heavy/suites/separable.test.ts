import { describe, expect, it } from 'vitest'
// @ts-expect-error a script without types
import { makeSuite } from '../../../scripts/separable/suite.mjs'
import { buildPool } from '../../../src/agents/mutants/mutant-pool.ts'
import { selectTasks } from '../../../src/loop/plan/select-tasks.ts'
import type { Task } from '../../../src/schema/task.ts'
import { gradeLeft } from '../../helpers/graders/grader-contract.ts'

const made = makeSuite() as { id: string; wrong: Record<string, unknown> }[]
const { tasks } = await selectTasks('separable', 1)
const wrongOf = ({ spec }: Task) => made.find(({ id }) => id === spec.id)?.wrong ?? {}
const gradedValue = async (task: Task, left: Parameters<typeof gradeLeft>[1]) => {
  const { scores } = await gradeLeft(task, left)
  return scores[0]?.value ?? Number.NaN
}
const leave = (task: Task, result: unknown) =>
  task.spec.output === 'answer'
    ? { answer: `Answer: ${result}` }
    : { files: { 'answers.json': JSON.stringify(result) } }

describe('a task of the suite separable', { timeout: 60_000 }, () => {
  it.each(tasks)('$ref passes its reference and gives nothing for what was there before', async (task) => {
    const { solution } = task.hidden
    expect(
      await gradedValue(task, {
        ...solution,
        ...(solution?.answer && { answer: `Answer: ${solution.answer}` }),
      }),
    ).toBe(1)
    expect(await gradedValue(task, {})).toBe(0)
  })

  it.each(tasks.filter((task) => Object.keys(wrongOf(task)).length > 0))(
    '$ref does not pass what a hasty solver hands in',
    async (task) => {
      for (const [name, result] of Object.entries(wrongOf(task)))
        expect(await gradedValue(task, leave(task, result)), name).toBeLessThan(0.7)
    },
  )

  it.each(tasks.filter(({ spec }) => (spec.properties.independentParts ?? 1) > 1))(
    '$ref scores each part by itself',
    async (task) => {
      const right = task.hidden.solution?.files ?? {}
      const [path, text] = Object.entries(right)[0] as [string, string]
      const parts = task.spec.properties.independentParts as number
      const half = path.endsWith('.json') ? withoutFirst(text) : (task.files[path] as string)
      expect(await gradedValue(task, { files: { ...right, [path]: half } })).toBeCloseTo(1 - 1 / parts, 10)
    },
  )

  const someOfEachKind = ['supply-contracts', 'one-budget', 'torn-route']
  it.each(tasks.filter(({ spec }) => someOfEachKind.includes(spec.id)))(
    '$ref gives simulated agents wrong results that look like work',
    async (task) => {
      const pool = await buildPool(task, trySubmission, { cache: undefined })
      expect(pool.wrong.length).toBeGreaterThanOrEqual(2)
      expect(pool.wrong.map(({ label }) => label)).not.toContain('nothing done')
    },
  )

  it.each([
    ['no JSON', '{'],
    ['a list', '[]'],
    ['null', 'null'],
    [
      'each answer in a list of its own',
      (right: object) =>
        JSON.stringify(Object.fromEntries(Object.entries(right).map(([key, value]) => [key, [value]]))),
    ],
  ])('gives nothing for answers that are %s', async (_, given) => {
    const task = tasks.find(({ spec }) => spec.id === 'shift-logs') as Task
    const right = JSON.parse(task.hidden.solution?.files?.['answers.json'] ?? '') as object
    const text = typeof given === 'string' ? given : given(right)
    expect(await gradedValue(task, { files: { 'answers.json': text } })).toBe(0)
  })

  it('counts a number in quotes as this number', async () => {
    const task = tasks.find(({ spec }) => spec.id === 'board-minutes') as Task
    const text = task.hidden.solution?.files?.['answers.json']?.replaceAll(/: (\d+)/g, ': "$1"') ?? ''
    expect(await gradedValue(task, { files: { 'answers.json': text } })).toBe(1)
  })
})

const trySubmission: Parameters<typeof buildPool>[1] = async (task, submission) => {
  const { passed } = await gradeLeft(task, submission)
  return {
    visible: { status: 'failed', passed: 0, total: 1, output: '' },
    passed,
    quality: Number(passed),
    ms: 0,
  }
}

/** Returns the answers without the first one. */
function withoutFirst(text: string): string {
  const [first, ...others] = Object.entries(JSON.parse(text) as object)
  return JSON.stringify({ ...Object.fromEntries(others), [(first as [string, unknown])[0]]: null })
}
