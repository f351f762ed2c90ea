import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { resolveOptions } from '../../src/commands/methods/documents.ts'
import { WorkflowRecord } from '../../src/schema/method/workflow-record.ts'
import type { Scene } from '../../src/testing.ts'
import type { UserError } from '../../src/text/errors.ts'
import { collaboration } from '../../strategies/collaboration.ts'
import { agentOf, answerTask, playTrial } from '../helpers/runs/trial.ts'

const optionsOf = (given: object) => resolveOptions(collaboration, collaboration.options.parse(given), true)
const quick = { workflow: 'quick_code_fix' }

describe('the choice of a workflow', () => {
  const chosen = async (files: Scene['files'], options: object = {}) => {
    const agents: string[] = []
    const agent = agentOf(({ role }) => {
      agents.push(role)
      return 'nothing of use'
    })
    const task = answerTask({}, files ?? {})
    const { record } = await playTrial({ agent, strategy: collaboration, options: optionsOf(options), task })
    return WorkflowRecord.parse(record.state?.collaboration).workflow
  }

  it('depends on the number of files of the task: none, one, several', async () => {
    expect(await chosen({})).toBe('architecture_review')
    expect(await chosen({ a: '1' })).toBe('quick_code_fix')
    expect(await chosen({ a: '1', b: '2' })).toBe('feature_development')
  })

  it('can be set for each number of files, or for all, by name or file', async () => {
    expect(await chosen({ a: '1' }, { forOneFile: 'fixtures/workflows/two-views.yaml' })).toBe('two_views')
    expect(await chosen({ a: '1' }, { forOneFile: 'two-views', folder: 'fixtures/workflows' })).toBe(
      'two_views',
    )
    expect(await chosen({}, quick)).toBe('quick_code_fix')
  })

  it('is refused when there is no such workflow, with the known ones', () => {
    const problems = (given: object) => {
      try {
        optionsOf(given)
      } catch (error) {
        return (error as UserError).problems
      }
    }
    expect(problems({ workflow: 'quick' })).toMatchSnapshot()
    expect(problems({ workflow: 'LICENSE' })?.[0]?.fix).toBe('Write ./LICENSE for the file LICENSE.')
    expect(problems({ workflow: './none.yaml', folder: './nowhere' })).toHaveLength(2)
  })

  it('is part of the method: a changed file is another method', () => {
    const digestOf = (text: string) =>
      collaboration.resolve?.(collaboration.options.parse({ workflow: './mine.yaml' }), {
        read: () => text,
        list: () => [],
        shipped: {},
      }).workflows['./mine.yaml']?.digest
    const text = readFileSync('fixtures/workflows/two-views.yaml', 'utf8')
    expect(digestOf(text)).not.toBe(digestOf(text.replace('right and whole', 'right')))
  })
})
