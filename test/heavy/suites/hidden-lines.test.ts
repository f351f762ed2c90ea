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
    const { prompts, secrets, leaks } = await searchPrompts(everyFormat(names), 'oracle')
    expect(leaks).toEqual([])
    expect(prompts).toBeGreaterThan(200)
    // A task without secret lines would prove nothing.
    expect(Object.entries(secrets).filter(([, count]) => count === 0)).toEqual([])
  })

  needs('python3').it(
    'has lines that the search would find: the same tasks with their tests shown',
    async () => {
      const { tasks } = await selectTasks(everyFormat(names), 1)
      for (const task of tasks) {
        const shown = Object.values(task.hidden.tests).join('\n')
        const secrets = secretLines(task)
        expect(secretLines({ ...task, instruction: `${task.instruction}\n${shown}` }).length).toBeLessThan(
          secrets.length,
        )
      }
    },
  )
})
