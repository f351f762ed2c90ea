import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { packageRoot } from '../../src/base/package-root.ts'
import { resolveOptions } from '../../src/commands/methods/documents.ts'
import { GraphRecord } from '../../src/schema/graph/plan.ts'
import type { UserError } from '../../src/text/errors.ts'
import { dag } from '../../strategies/dag.ts'
import { tempFolder } from '../helpers/machine/temp.ts'
import { agentOf, answerTask, playTrial } from '../helpers/runs/trial.ts'

const folder = join(packageRoot(), 'strategies/dag')
const documents = readdirSync(folder).map((file) => file.replace('.yaml', ''))
const optionsOf = (workflow: string) => resolveOptions(dag, dag.options.parse({ workflow }), true)
const problemsOf = (workflow: string) => {
  try {
    optionsOf(workflow)
  } catch (error) {
    return (error as UserError).problems
  }
}

describe('the documents that come with dag', () => {
  it('are the demos of the patterns, of each primitive, of patterns in patterns, and of tools and memory', () => {
    expect(documents.filter((name) => !name.startsWith('primitives-')).sort()).toEqual([
      ...['composition', 'debate', 'fork_join', 'hierarchical', 'linear'],
      ...['memory', 'multi_step', 'planner_executor', 'referee', 'remote', 'tools', 'tools_and_memory'],
    ])
    const primitives = ['agents', 'providers', 'run', 'tasks', 'tools', 'workflows']
    expect(documents.filter((name) => name.startsWith('primitives-')).sort()).toEqual(
      primitives.map((name) => `primitives-${name}`),
    )
  })

  it.each(documents)('%s says in its first line what it shows, and bears its name', (name) => {
    const text = readFileSync(join(folder, `${name}.yaml`), 'utf8')
    expect(text).toMatch(/^# Shows .+\.\n/)
    expect(text).toContain(`\nname: ${name}\n`)
  })

  it('name the roles of the method in the default one', () => {
    expect(dag.rolesOf?.(dag.options.parse(optionsOf('fork_join')))).toEqual(dag.roles)
  })
})

describe('the document of dag', () => {
  it('may have several workflows, of which # names one', async () => {
    const steps = (workflow: string) => optionsOf(workflow).plan?.steps.map(({ id }) => id)
    expect(steps('primitives-workflows')).toEqual(['think', 'make'])
    expect(steps('primitives-workflows#thorough')).toEqual(['think', 'doubt', 'make', 'finish'])
    expect(problemsOf('primitives-workflows#through')).toEqual([
      {
        where: 'workflow primitives-workflows#through',
        what: 'the document has no workflow "through"',
        fix: expect.stringContaining('thorough'),
      },
    ])
  })

  it('is refused when there is none, with the known ones', () => {
    expect(problemsOf('debat')?.[0]).toMatchObject({
      what: 'there is no such document',
      fix: expect.stringContaining('debate'),
    })
    expect(problemsOf(join(tempFolder(), 'none.yaml'))?.[0]?.what).toBe('there is no such file')
    expect(problemsOf('LICENSE')?.[0]?.fix).toBe('Write ./LICENSE for the file LICENSE.')
    const given = { ...dag.options.parse({}), plan: optionsOf('linear').plan }
    expect(() => resolveOptions(dag, given, true)).toThrow(/option plan.*bench sets this option itself/)
  })

  it('names the agents of its roles, also for steps that it places elsewhere', () => {
    const agentsOf = (name: string) => dag.agentsOf?.(optionsOf(name))
    const settings = { baseUrl: 'http://127.0.0.1:8080/v1' }
    expect(agentsOf('primitives-providers')).toMatchObject([
      { role: 'thinker', name: 'ollama:llama3.2', where: 'primitives-providers providers.local' },
      { role: 'reviewer', name: 'simulated' },
      { role: 'maker', name: 'remote=openai-compatible:local-model', settings },
    ])
    expect(agentsOf('primitives-run')).toMatchObject([
      { role: 'reader', name: 'simulated' },
      { role: 'maker@large', name: 'large=openai-compatible:local-model', settings },
    ])
    expect(agentsOf('linear')).toEqual([])
  })
})

describe('dag', () => {
  it('keeps its plan, the steps with what came of them, and the choices in the record', async () => {
    const agent = agentOf(({ schema }) =>
      schema ? JSON.stringify({ steps: ['add', 'check'] }) : 'Answer: 42',
    )
    const options = { ...optionsOf('planner_executor') }
    const { record } = await playTrial({ agent, strategy: dag, options, task: answerTask() })
    expect(record).toMatchObject({ claimed: 'done', passed: true, fidelity: { status: 'kept' } })
    const graph = GraphRecord.parse(record.state?.graph)
    expect(graph).toMatchObject({ name: 'planner_executor', workflow: 'main', digest: options.plan?.digest })
    expect(graph.steps.map(({ id, status, part }) => [id, status, part])).toEqual([
      ['p::work::plan', 'done', undefined],
      ['p::work::execute::01', 'done', 'add'],
      ['p::work::execute::02', 'done', 'check'],
      ['p::work::finish', 'done', undefined],
    ])
  })

  it('halts when nothing is handed in', async () => {
    const agent = agentOf(() => ' ')
    const options = { ...optionsOf('linear') }
    const { record } = await playTrial({ agent, strategy: dag, options })
    expect(record.delivered).toBeNull()
  })
})
