import { describe, expect, it } from 'vitest'
import { builtInNames, loadBuiltIn } from '../../../src/loop/plan/built-in-tasks.ts'

describe('built-in tasks', () => {
  it('are named by their folders, so that tasks are selected without reading them', () => {
    const { tasks, problems } = loadBuiltIn(builtInNames())
    expect(problems).toEqual([])
    expect(tasks.map(({ ref, suite, spec }) => ({ ref, suite, id: spec.id }))).toEqual(
      builtInNames().map(({ ref, suite, id }) => ({ ref, suite, id })),
    )
    expect(tasks.length).toBeGreaterThanOrEqual(16)
  })

  it('are reported by file when they are broken', () => {
    const broken = { ref: 'answers/none', suite: 'answers', id: 'none', folder: '/nowhere/none' }
    expect(loadBuiltIn([broken]).problems).toMatchObject([
      { where: '/nowhere/none/task.yaml', what: 'is missing' },
      { where: '/nowhere/none/instruction.md' },
    ])
  })
})
