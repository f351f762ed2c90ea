import fc from 'fast-check'
import { expect, it } from 'vitest'
import { filterTasks } from '../../../src/loop/plan/filter-tasks.ts'
import type { Task, TaskSpec } from '../../../src/schema/task.ts'
import { factText } from '../../../src/schema/task-condition.ts'
import { makeTask } from '../../../src/suites/make-task.ts'
import { UserError } from '../../../src/text/errors.ts'

type Stated = Partial<Pick<TaskSpec, 'language' | 'tags'>> & { difficulty?: number; suite?: string }

const task = (id: string, { suite = 'own', difficulty, ...stated }: Stated = {}): Task =>
  makeTask({
    suite,
    spec: {
      ...{ id, title: id, output: 'answer', graders: [{ kind: 'exact' }], ...stated },
      properties: difficulty === undefined ? {} : { difficulty },
    },
    ...{ instruction: id, files: {}, checks: {}, hidden: { tests: {} }, origin: `/somewhere/${id}` },
  })

const tasks = [
  task('a', { difficulty: 0.2, tags: ['parsing'], language: 'python' }),
  task('b', { difficulty: 0.5, tags: ['parsing', 'dates'] }),
  task('c', { difficulty: 0.9 }),
  task('d', { tags: ['dates'] }),
]
const ids = (filter: Parameters<typeof filterTasks>[1], from: readonly Task[] = tasks) =>
  filterTasks(from, filter).tasks.map(({ spec }) => spec.id)

it.each([
  [{ tags: ['parsing'] }, 'ab'],
  [{ tags: ['parsing', 'dates'] }, 'abd'],
  [{ where: ['difficulty>=0.5'] }, 'bc'],
  [{ where: ['difficulty > 0.2', 'difficulty<0.9'] }, 'b'],
  [{ where: ['difficulty=.5'] }, 'b'],
  [{ where: ['difficulty!=0.5'] }, 'ac'],
  [{ where: ['language=python'] }, 'a'],
  [{ where: ['language!=python'] }, 'bcd'],
  [{ where: ['tag!=dates'] }, 'ac'],
  [{ tags: ['parsing'], where: ['language=text', 'suite=own'] }, 'b'],
])('%j selects the tasks %s', (filter, expected) => {
  expect(ids({ ...filter, seed: 1 }).join('')).toBe(expected)
})

it('numbers are shown with two digits and compared as they are shown', () => {
  const ninths = Array.from({ length: 10 }, (_, i) => task(`${i}`, { difficulty: i / 9 }))
  const selected = (condition: string) => ids({ where: [condition], seed: 1 }, ninths).join('')
  expect(['=', '!=', '<', '<=', '>', '>='].map((sign) => selected(`difficulty${sign}0.11`))).toEqual([
    ...['1', '023456789', '0', '01', '23456789', '123456789'],
  ])
  expect(selected('difficulty=0.1111111111111111')).toBe('1')
  expect([1 / 9, 2, 1234.567, 0.999, ['a', 'b'], 'c'].map(factText)).toEqual([
    ...['0.11', '2', '1234.57', '1', 'a, b', 'c'],
  ])
})

it('a note counts the tasks that a condition leaves out since they do not state the property', () => {
  expect(filterTasks(tasks, { where: ['difficulty>0'], seed: 1 }).notes).toMatchSnapshot()
})

it.each([
  [{ where: ['constructor=1'] }, '--where constructor=1', 'Known: '],
  [{ tags: ['x'], where: ['suite=own'] }, '--tag x', 'Values of tag: dates (2), parsing (2).'],
  [{ tags: ['dats'] }, '--tag dats', 'Values of tag: dates (2), parsing (2).'],
  [{ where: ['difficulty>0.95'] }, '--where difficulty>0.95', '0.2 to 0.9 in 3 of 4 tasks'],
  [{ where: ['language=go'] }, '--where language=go', 'text (3), python (1)'],
  [{ where: ['dificulty>0.5'] }, '--where dificulty>0.5', 'Did you mean "difficulty"?'],
  [{ where: ['difficulty=hard'] }, '--where difficulty=hard', '0.2 to 0.9'],
  [{ where: ['difficulty'] }, '--where difficulty', 'difficulty>=0.5'],
  [{ where: ['difficulty>x'] }, '--where difficulty>x', 'Write a number after >'],
  [{ tags: ['dates'], where: ['difficulty<0.3'] }, '--where difficulty<0.3', '0.5 in 1 of 2 tasks'],
])('%j names the values that there are', (filter, where, fix) => {
  let problem: UserError | undefined
  try {
    filterTasks(tasks, { ...filter, seed: 1 })
  } catch (error) {
    problem = error as UserError
  }
  expect(problem).toBeInstanceOf(UserError)
  expect(problem?.problems[0]?.where).toBe(where)
  expect(problem?.problems[0]?.fix).toContain(fix)
})

const many = Array.from({ length: 90 }, (_, i) =>
  task(`t${i}`, { suite: i < 60 ? 'large' : 'small', difficulty: (i % 3) / 3 + 0.1 }),
)

it('a sample has the share of each suite and of each third of difficulty', () => {
  const { tasks: drawn } = filterTasks(many, { sample: 18, seed: 1 })
  const count = (suite: string, low: number) =>
    drawn.filter(
      (one) => one.suite === suite && Math.floor(3 * (one.spec.properties.difficulty as number)) === low,
    ).length
  expect([0, 1, 2].map((low) => [count('large', low), count('small', low)])).toEqual([
    [4, 2],
    [4, 2],
    [4, 2],
  ])
})

it('a sample is the same whatever the order of the tasks, and stays in the order of the selection', () => {
  fc.assert(
    fc.property(
      fc.shuffledSubarray(many, { minLength: many.length }),
      fc.integer({ min: 1, max: 89 }),
      fc.nat(),
      (order, sample, seed) => {
        const drawn = ids({ sample, seed }, order)
        expect(drawn.toSorted()).toEqual(ids({ sample, seed }, many).sort())
        expect(drawn).toHaveLength(sample)
        expect(drawn).toEqual(order.map(({ spec }) => spec.id).filter((id) => drawn.includes(id)))
      },
    ),
    { numRuns: 10 },
  )
})

it('one seed draws one sample, on every machine', () => {
  expect(ids({ sample: 5, seed: 1 }, many)).toMatchInlineSnapshot(`
    [
      "t39",
      "t46",
      "t50",
      "t63",
      "t85",
    ]
  `)
  expect(ids({ sample: 5, seed: 2 }, many)).not.toEqual(ids({ sample: 5, seed: 1 }, many))
})

it('a sample of more tasks than there are takes all, with a note', () => {
  expect(filterTasks(tasks, { sample: 9, seed: 1 })).toEqual({
    tasks,
    notes: ['--sample 9 asks for more tasks than there are; all 4 are used'],
  })
})
