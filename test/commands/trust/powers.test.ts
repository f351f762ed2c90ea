import { describe, expect, it } from 'vitest'
import { parseConfig } from '../../../src/commands/config/config-file.ts'
import { documentPowers } from '../../../src/commands/trust/document-powers.ts'
import { configPowers, isAsked, type Power } from '../../../src/commands/trust/powers.ts'
import { tableOf } from '../../helpers/house/tables.ts'

const plain = ({ kind, value, where }: Power) => `${kind} ${value} @ ${where.replace(/^(\w+:\d+):.*/, '$1')}`

/** A graph with these providers or tools in lines 2 and 3, and this input. */
const graph = ({ providers = '', tools = '', input = 'task' }) => `version: "0.5"
providers: { ${providers} }
tools: { ${tools} }
agents: { maker: {} }
tasks: { make: { agent_ref: maker, prompt: Do it. } }
workflows: { main: { steps: [ { id: make, task: make } ] } }
run: { workflow_ref: main, input: ${input} }
`

const machine = (agent: string) => `name: m
orchestrator: { persona: boss, agent: "${agent}" }
agents: { ada: { persona: boss, agent: "openai:gpt-5" } }
personas: { boss: boss.md }
states: { start: { type: initial, next: end }, end: { type: terminal } }
`

describe('a document takes', () => {
  it.each([
    [
      'an address and a variable, by http_remote',
      graph({
        providers:
          'far: { kind: http_remote, config: { base_url: "http://h/v1", model: m, key_variable: TOKEN } }',
      }),
      ['agent http_remote m @ d:2', 'address http://h/v1 @ d:2', 'variable TOKEN @ d:2'],
    ],
    [
      'an address, by local_ollama',
      graph({ providers: 'o: { kind: local_ollama, config: { model: m, base_url: "http://h" } }' }),
      ['agent local_ollama m @ d:2', 'address http://h @ d:2'],
    ],
    [
      'a module, by bench_agent',
      graph({ providers: 'b: { kind: bench_agent, config: { agent: "scripted:./x.mjs" } }' }),
      ['module ./x.mjs @ d:2'],
    ],
    [
      'a program, by bench_agent',
      graph({ providers: 'b: { kind: bench_agent, config: { agent: "codex-cli:m" } }' }),
      ['program codex-cli:m @ d:2'],
    ],
    [
      'an agent of a vendor, which is spend alone',
      graph({ providers: 'b: { kind: bench_agent, config: { agent: "openai:gpt-5" } }' }),
      ['agent openai:gpt-5 @ d:2'],
    ],
    [
      'a program and files, by an MCP tool',
      graph({ tools: 't: { kind: mcp, config: { command: [node, s.mjs], files: [s.mjs], allow: [x] } }' }),
      ['program node s.mjs @ d:3', 'file s.mjs @ d:3'],
    ],
    [
      'a file, by a memory',
      graph({ tools: 'm: { kind: memory, config: { file: notes.md } }' }),
      ['file notes.md @ d:3'],
    ],
    ['a file, by its input', graph({ input: '{ file: in.txt }' }), ['file in.txt @ d:7']],
    [
      'a module and an agent, by a machine',
      machine('scripted:./x.mjs'),
      ['module ./x.mjs @ d:2', 'agent openai:gpt-5 @ d:3'],
    ],
    ['nothing, if it names nothing', graph({}), []],
    ['nothing, if its agents are simulated', machine('simulated'), ['agent openai:gpt-5 @ d:3']],
  ])('%s', (_, text, expected) => {
    expect(documentPowers(text, 'd').map(plain)).toEqual(expected)
  })
})

describe('a config file takes', () => {
  it.each(tableOf<[string, string, string][]>(import.meta.url, 'cases'))('%s', (_, text, expected) => {
    const [first, ...others] = configPowers(
      parseConfig(text.replace('approve: yes', 'approve: "yes"'), 'c'),
    ).filter(isAsked)
    expect([first && `${first.kind} ${first.value}`, others.map(({ kind }) => kind)]).toEqual([expected, []])
    expect(first?.where).toMatch(/^c:1 /)
  })

  it('nothing by limits that are stricter, by prices or by what is redacted', () => {
    const text =
      'limits: { run: { costUsd: 1 }, trial: { calls: 500 } }\nsecrets: [MINE]\nrun: { tasks: [all, lamp-paths], allowUnsandboxed: false, sandbox: docker }'
    expect(configPowers(parseConfig(text, 'c'))).toEqual([])
  })

  it('no trust in itself: there is no such field', () => {
    expect(() => parseConfig('run: { trustCode: true }', 'c')).toThrow(/trustCode/)
  })
})
