import { describe, expect, it } from 'vitest'
// @ts-expect-error a script without types
import { makeSuite } from '../../scripts/separable/suite.mjs'
import { selectTasks } from '../../src/loop/plan/select-tasks.ts'
import type { Task } from '../../src/schema/task.ts'
import { entriesOf, readTexts } from '../../src/suites/read-texts.ts'
import { sha256 } from '../../src/text/canonical-json.ts'
import { filesContext } from '../../src/workflows/work-context.ts'

interface MadeTask {
  id: string
  folder: Record<string, string>
  wrong: Record<string, unknown>
}
const made = makeSuite() as MadeTask[]
const { tasks } = await selectTasks('separable', 1)
const propertyOf = ({ spec }: Task) => spec.properties.decomposability as number

describe('the suite separable', () => {
  it('has eight tasks of independent parts and six that hang together, and runs only where it is named', async () => {
    expect(tasks.filter((task) => propertyOf(task) >= 0.9)).toHaveLength(8)
    expect(tasks.filter((task) => propertyOf(task) <= 0.1)).toHaveLength(6)
    expect((await selectTasks('all', 1)).tasks.map(({ suite }) => suite)).not.toContain('separable')
  })

  it('states all numbers that a report compares methods by', () => {
    for (const { ref, spec } of tasks) {
      const { independentParts = 0, sequentialDepth = 0, readingTokens = 0, difficulty } = spec.properties
      expect(difficulty, ref).toBeGreaterThan(0)
      expect(readingTokens, ref).toBeGreaterThan(300)
      if (independentParts > 1) expect(sequentialDepth, ref).toBeLessThanOrEqual(3)
      else expect(sequentialDepth, ref).toBeGreaterThanOrEqual(8)
    }
  })

  it.each(made)('has $id as the seeded script makes it', ({ id, folder }) => {
    const place = (tasks.find(({ spec }) => spec.id === id) as Task).origin
    expect(readTexts(place, [])).toEqual(folder)
  })

  // Texts and answers are in no file of the repository: who changes the script on purpose changes this, too.
  it('is what it was when its numbers were published', () => {
    const texts = JSON.stringify(made.map(({ id, folder }) => [id, folder]))
    expect(sha256(texts)).toBe('7b3d72629877a320f65ba0661eb7b0ef6a812778ef6c5d6e5454fed94e4b5251')
  })

  it('has three tasks of code that were written by hand', () => {
    const written = tasks.map(({ spec }) => spec.id).filter((id) => !made.some((one) => one.id === id))
    expect(written.toSorted()).toEqual(['cents-everywhere', 'eight-formats', 'ten-faults'])
  })

  it('shows all files of each task in one prompt, so that no method reads more than another', () => {
    for (const { ref, files } of tasks) {
      const workspace = { list: () => Object.keys(files), read: (path: string) => files[path] }
      expect(filesContext(workspace), ref).not.toContain('Not shown')
    }
  })

  it('adds less than 0.7 MB to the package', () => {
    const sizes = tasks.flatMap(({ origin }) =>
      Object.values(readTexts(origin, [])).map((text) => Buffer.byteLength(text)),
    )
    expect(entriesOf(`${tasks[0]?.origin}/..`)).toHaveLength(tasks.length)
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(700_000)
  })

  it.each(made.filter(({ folder }) => folder['solution/answers.json']?.includes('-')))(
    'asks in $id for answers of which a hasty reader gets some right and some wrong',
    ({ folder, wrong }) => {
      const right = JSON.parse(folder['solution/answers.json'] as string) as Record<string, number>
      for (const [name, hasty] of Object.entries(wrong) as [string, Record<string, number>][]) {
        const same = Object.keys(right).filter((key) => right[key] === hasty[key]).length
        expect(same / Object.keys(right).length, name).toBeLessThan(0.7)
      }
    },
  )
})
