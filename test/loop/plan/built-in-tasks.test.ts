import { describe, expect, it } from 'vitest'
import { builtInNames, loadBuiltIn } from '../../../src/loop/plan/built-in-tasks.ts'

describe('built-in tasks', () => {
  it('have the names of their folders, so that one is selected before any is read', () => {
    const { tasks, problems } = loadBuiltIn(builtInNames())
    expect(problems).toEqual([])
    expect(tasks.map(({ ref, suite, spec }) => ({ ref, suite, id: spec.id }))).toEqual(
      builtInNames().map(({ ref, suite, id }) => ({ ref, suite, id })),
    )
    expect(tasks.length).toBeGreaterThanOrEqual(16)
  })

  it('that are broken say so by file when they are read', () => {
    const broken = { ref: 'answers/none', suite: 'answers', id: 'none', folder: '/nowhere/none' }
    expect(loadBuiltIn([broken]).problems).toMatchObject([
      { where: '/nowhere/none/task.yaml', what: 'is missing' },
      { where: '/nowhere/none/instruction.md' },
    ])
  })
})
