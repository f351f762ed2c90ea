import { describe, expect } from 'vitest'
import { importers } from '../../../src/suites/registry.ts'
import { needs } from '../../helpers/house/needs.ts'
import { searchPrompts } from '../../helpers/suites/search-prompts.ts'
import { everyFormat } from '../../helpers/suites/suite-fixtures.ts'

describe('what agents read never has a line of hidden tests or solutions', { timeout: 3_600_000 }, () => {
  needs('python3').it.each([
    ['built-in tasks', () => 'all,writing'],
    ['every format', () => everyFormat(importers.map(({ name }) => name))],
  ])('%s, with simulated agents', async (_, selection) => {
    const { prompts, leaks, tasks, tasksRead } = await searchPrompts(selection(), 'simulated')
    expect(leaks).toEqual([])
    expect(tasksRead).toBe(tasks)
    expect(prompts).toBeGreaterThan(200)
  })
})
