import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { packageRoot } from '../../src/base/package-root.ts'
import { resolveOptions } from '../../src/commands/methods/documents.ts'
import type { Strategy } from '../../src/strategy.ts'
import type { UserError } from '../../src/text/errors.ts'
import { fanout } from '../../strategies/fanout.ts'
import { castOf, fanoutOptions, playFanout } from '../helpers/fanout/cast.ts'
import { machineText, personaFiles } from '../helpers/fanout/machines.ts'
import { tempFolder } from '../helpers/machine/temp.ts'

const folder = join(packageRoot(), 'strategies/fanout')
const names = readdirSync(folder).flatMap((file) => /^(.+)\.yaml$/.exec(file)?.[1] ?? [])
const problemsOf = (workflow: string) => {
  try {
    fanoutOptions(workflow)
  } catch (error) {
    return (error as UserError).problems
  }
}

/** Writes a workflow with its personas into a folder; gives its path. */
function writeMachine(text = machineText(), personas = personaFiles): string {
  const root = tempFolder()
  mkdirSync(join(root, 'personas'))
  for (const [path, persona] of Object.entries(personas)) writeFileSync(join(root, path), persona)
  writeFileSync(join(root, 'own.yaml'), text)
  return join(root, 'own.yaml')
}

describe('the workflows that come with fanout', () => {
  it('are the pipeline of the source, its variants with gates and a person, and one that solves any task', () => {
    expect(names.sort()).toEqual(['code', 'post', 'post-approval', 'post-gates'])
    expect(fanout.options.parse({}).workflow).toBe('code')
  })

  it.each(names)('%s bears its name, says what it does, and uses all of its personas', (name) => {
    const text = readFileSync(join(folder, `${name}.yaml`), 'utf8')
    expect(text).toMatch(/^# .+\.\n/)
    const { machine } = fanoutOptions(name)
    expect(machine?.name).toBe(name)
    const used = [
      machine?.orchestrator.persona,
      ...Object.values(machine?.states ?? {}).map((state) =>
        'persona' in state ? state.persona : undefined,
      ),
    ]
    for (const persona of Object.keys(machine?.personas ?? {})) expect(used).toContain(persona)
  })

  it.each(['code', 'post-gates'])(
    '%s keeps what its agents read apart from what they are to do',
    async (name) => {
      const prompts: string[] = []
      const text = '# Mine\n\nAnswer: 42\n\n'
      const cast = castOf((_state, _role, _asked, { prompt, work, schema }) => {
        prompts.push(prompt)
        return work === 'produce' && !schema ? text : undefined
      })
      await playFanout(name, cast)
      expect(prompts.length).toBeGreaterThan(10)
      for (const prompt of prompts) {
        expect(prompt).not.toMatch(/\n{4}/)
        // Who reviews must not take the task of the authors for its own.
        if (!prompt.startsWith('# Task\n'))
          expect(prompt).toMatch(/\n<task>\n# Task\n[\s\S]*\S\n<\/task>\n|\n## task\n# Task\n/)
        for (const [whole, tag] of prompt.matchAll(/<(\w+) path=[^>]*>/g)) {
          const body = prompt.slice(prompt.indexOf(whole) + whole.length)
          expect(body.indexOf(`\n</${tag}>`)).toBeGreaterThan(0)
        }
      }
    },
  )

  it('leave no persona unused', () => {
    const files = names.flatMap((name) =>
      Object.values(fanoutOptions(name).machine?.personas ?? {}).map(({ file }) => file),
    )
    const all = readdirSync(join(folder, 'personas')).map((file) => `personas/${file}`)
    expect([...new Set(files)].sort()).toEqual(all.sort())
  })

  it('name no provider, so that the agents of the run answer', () => {
    for (const name of names) expect(fanout.agentsOf?.(fanoutOptions(name))).toEqual([])
  })

  it('name the roles of the method in the default one', () => {
    expect(fanout.rolesOf?.(fanoutOptions('code'))).toEqual(fanout.roles)
  })
})

describe('the workflow of fanout', () => {
  it('may be a file, whose personas stand beside it', () => {
    const { machine } = fanoutOptions(writeMachine())
    expect(machine).toMatchObject({ name: 'small', personas: { writer: { file: 'personas/writer.md' } } })
    expect(machine?.personas.writer?.text).toBe(personaFiles['personas/writer.md'])
  })

  it('is another method when the text of a persona changes', () => {
    const changed = {
      ...personaFiles,
      'personas/writer.md': `${personaFiles['personas/writer.md']}\nBriefly.\n`,
    }
    const [one, other] = [fanoutOptions(writeMachine()), fanoutOptions(writeMachine(machineText(), changed))]
    expect(one.machine?.digest).toBe(fanoutOptions(writeMachine()).machine?.digest)
    expect(one.machine?.digest).not.toBe(other.machine?.digest)
  })

  it('is refused when it does not exist, with the known ones', () => {
    expect(problemsOf('post-gate')).toMatchObject([
      { what: 'there is no such workflow', fix: expect.stringContaining('post-gates') },
    ])
    expect(problemsOf('personas/writer')?.[0]?.what).toBe('there is no such file')
    expect(problemsOf('LICENSE')?.[0]?.fix).toBe('Write ./LICENSE for the file LICENSE.')
    expect(problemsOf(join(tempFolder(), 'none.yaml'))?.[0]?.what).toBe('there is no such file')
    const given = { ...fanout.options.parse({}), machine: fanoutOptions('post').machine }
    expect(() => resolveOptions(fanout as Strategy, given, true)).toThrow(/option machine.*bench sets this/)
  })

  it('is refused with all of its mistakes, and with a persona that is not beside it', () => {
    const text = machineText({
      agents: 'agents: { ada: {}, ben: {}, gate: { persona: gat } }',
      rest: 'setting: {}',
    })
    const { 'personas/lead.md': _, ...others } = personaFiles
    const problems =
      problemsOf(writeMachine(text, others))?.map(({ where, what }) => `${where} ${what}`) ?? []
    expect(problems.join('\n')).toMatch(/agents\.gate\.persona/)
    expect(problems.join('\n')).toMatch(/setting is not a known field/)
    expect(problems.join('\n')).toMatch(/lead/)
  })

  it('names agents for its roles, the orchestrator first', () => {
    const text = machineText({
      orchestrator: 'orchestrator: { persona: lead, agent: "anthropic:claude-x" }',
      agents:
        'agents: { ada: { agent: "ollama:llama3.2" }, ben: {}, gate: { persona: gate, agent: simulated } }',
    })
    const file = writeMachine(text)
    expect(fanout.agentsOf?.(fanoutOptions(file))).toMatchObject([
      {
        role: 'orchestrator',
        name: 'anthropic:claude-x',
        where: expect.stringContaining('orchestrator.agent'),
      },
      { role: 'ada', name: 'ollama:llama3.2', where: expect.stringContaining('agents.ada') },
      { role: 'gate', name: 'simulated' },
    ])
  })
})

describe('fanout', () => {
  it('keeps the path, the personas and what is handed in in the record', async () => {
    const { record, machine } = await playFanout('code', castOf())
    expect(record).toMatchObject({ claimed: 'done', passed: true, fidelity: { status: 'kept' } })
    expect(machine).toMatchObject({ workflow: 'code', ended: 'complete', delivered: 'final/solution.md' })
    expect(Object.keys(machine.personas)).toEqual(Object.keys(fanoutOptions('code').machine?.personas ?? {}))
    // Three criteria: each agent scores three solutions, and then the one that was made of them.
    expect(machine.scores).toHaveLength(3 * 3 * 3 + 3 * 3)
  })
})

it('refuses a state that the workflow does not have, and a machine that bench did not read', () => {
  const resolve = (options: object) => () =>
    resolveOptions(fanout as Strategy, fanout.options.parse(options), true)
  expect(resolve({ only: 'nope' })).toThrow(/code has no state "nope"[\s\S]*It has start, solve, /)
  expect(resolve({ machine: fanoutOptions('code').machine })).toThrow(/bench sets this option itself/)
})
