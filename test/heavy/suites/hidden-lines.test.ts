import { describe, expect, it } from 'vitest'
import { selectTasks } from '../../../src/loop/plan/select-tasks.ts'
import { importers } from '../../../src/suites/registry.ts'
import { needs } from '../../helpers/house/needs.ts'
import { secretLines } from '../../helpers/suites/leaks.ts'
import { searchPrompts } from '../../helpers/suites/search-prompts.ts'
import { everyFormat, suiteFixtures } from '../../helpers/suites/suite-fixtures.ts'

const names = importers.map(({ name }) => name)

describe('what agents read', { timeout: 600_000 }, () => {
  it('is searched for every importer: each has a suite in test/helpers/suites/suite-fixtures.ts', () => {
    expect(names.filter((name) => suiteFixtures[name] === undefined)).toEqual([])
  })

  needs('python3').it('never has a line of hidden tests or solutions, in any method and format', async () => {
    const { prompts, leaks, tasks, tasksRead } = await searchPrompts(everyFormat(names), 'oracle')
    expect(leaks).toEqual([])
    expect(tasksRead).toBe(tasks)
    expect(prompts).toBeGreaterThan(200)
  })
})

it('tasks of code have lines that the search looks for, and would find in a prompt', async () => {
  const { tasks } = await selectTasks(everyFormat(names), 1)
  // An answer may be a number, which occurs by chance.
  const code = tasks.filter(({ spec }) => spec.output !== 'answer')
  expect(code.length).toBeGreaterThan(4)
  for (const task of code) {
    const secrets = secretLines(task)
    expect(new Set(secrets.map(({ part }) => part)), task.ref).toContain('solution')
    const shown = [...Object.values(task.hidden.tests), ...Object.values(task.hidden.solution?.files ?? {})]
    expect(secretLines({ ...task, instruction: shown.join('\n') }), task.ref).toEqual([])
  }
})
