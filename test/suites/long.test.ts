import { describe, expect, it } from 'vitest'
// @ts-expect-error a script without types
import { makeLong } from '../../scripts/long/suite.mjs'
import { applyEdits, createState, unifiedDiff } from '../../src/loop/branch/workspace.ts'
import { selectTasks } from '../../src/loop/plan/select-tasks.ts'
import type { Task } from '../../src/schema/task.ts'
import { readTexts } from '../../src/suites/read-texts.ts'
import { sha256 } from '../../src/text/canonical-json.ts'
import { estimateTokens } from '../../src/text/token-estimate.ts'
import { filesContext } from '../../src/workflows/work-context.ts'
import { sequential } from '../../strategies/sequential.ts'

const made = makeLong() as { id: string; folder: Record<string, string> }[]
const { tasks } = await selectTasks('long', 1)
const taskOf = (id: string) => tasks.find(({ spec }) => spec.id === id) as Task
const { contractTokens = 0, evaluatorTokens = 0 } = sequential.options?.parse({}) ?? {}

describe('the suite long', () => {
  it('runs only where it is named', async () => {
    expect(tasks).toHaveLength(2)
    expect((await selectTasks('all', 1)).tasks.map(({ suite }) => suite)).not.toContain('long')
  })

  it.each(made)('has $id as the seeded script makes it', ({ id, folder }) => {
    expect(readTexts(taskOf(id).origin, [])).toEqual(folder)
  })

  // Texts and answers are in no file of the repository: who changes the script on purpose changes this, too.
  it('is what it was when its numbers were published', () => {
    expect(sha256(JSON.stringify(made))).toBe(
      '4d00da05ee6ce926ea68e6fd4cdef894694ae0a66b03ac77f161f09a78b83cac',
    )
  })

  it('shows all files of each task in one prompt, so that no method reads more than another', () => {
    for (const { ref, files } of tasks)
      expect(
        filesContext({ list: () => Object.keys(files), read: (path) => files[path] }),
        ref,
      ).not.toContain('Not shown')
  })

  it('changes more in condensed-logs than a judge of sequential reads, whoever does the task', () => {
    const { files, hidden } = taskOf('condensed-logs')
    const state = createState(files)
    const edits = Object.entries(hidden.solution?.files ?? {}).map(([path, content]) => ({ path, content }))
    applyEdits(state, edits, 'reply')
    expect(estimateTokens(unifiedDiff(state))).toBeGreaterThan(evaluatorTokens)
  })

  it('states more in season-prices than a contract of sequential may hold, in so few words that a run stays small', () => {
    const { spec, files, instruction } = taskOf('season-prices')
    // Twenty tokens for a good, a month and a price.
    expect(20 * (spec.properties.requirements ?? 0)).toBeGreaterThan(contractTokens)
    expect(estimateTokens([instruction, ...Object.values(files)].join('\n'))).toBeLessThan(1000)
  })
})
