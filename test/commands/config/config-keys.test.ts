import { expect, it } from 'vitest'
import { configAgentProblems, dropInvalidNames } from '../../../src/commands/agents/config-agents.ts'
import { parseConfig } from '../../../src/commands/config/config-file.ts'
import { configPowers, takenText } from '../../../src/commands/trust/powers.ts'

const random = 'QaW3'.repeat(6)
const key = `sk-proj-${random}`
const password = 'hunter2hunter2'

/** Each line is a config file, with the place of its key. */
const files: [place: string, text: string][] = [
  ['agents.a.baseUrl', `agents: { a: { provider: ollama, model: m, baseUrl: "http://u:${password}@h" } }`],
  [
    'agents.a.baseUrl',
    `agents: { a: { provider: openai, model: m, baseUrl: "http://h?api_key=${password}" } }`,
  ],
  ['agents.a.baseUrl', `agents: { a: { provider: openai, model: m, baseUrl: "http://h/${key}" } }`],
  ['providers.ollama.baseUrl', `providers: { ollama: { baseUrl: "https://${password}@h/v1" } }`],
  ['agents.a.model', `agents: { a: { provider: acp, model: ${key}, program: { command: [agent] } } }`],
  ['agents.a', `agents: { a: "acp:agent --password ${password}" }`],
  ['agents.a', `agents: { a: "openai:${key}" }`],
  [
    'agents.a.program.command.2',
    `agents: { a: { provider: acp, model: m, program: { command: [agent, --password, ${password}] } } }`,
  ],
  [
    'agents.a.program.env.SERVER',
    `agents: { a: { provider: acp, model: m, program: { command: [agent], env: { SERVER: "redis://:${password}@h" } } } }`,
  ],
  [
    'agents.a.providerOptions.metadata.session',
    `agents: { a: { provider: openai, model: m, providerOptions: { metadata: { session: ${key} } } } }`,
  ],
  [
    'methods.e.options.command.1',
    `methods: { e: { strategy: external, options: { command: [x, ${key}] } } }`,
  ],
  [
    'methods.e.options.command',
    `methods: { e: { strategy: external, options: { command: "x --token ${password}" } } }`,
  ],
  [
    'methods.e.options.env.MY_TOKEN',
    `methods: { e: { strategy: external, options: { command: [x], env: { MY_TOKEN: ${password} } } } }`,
  ],
  ['methods.e.strategy', `methods: { e: { strategy: "external:x --token ${password}" } }`],
  ['run.methods.0', `run: { methods: ["external:x --token ${password}"] }`],
  ['roles.solver', `roles: { solver: "openai:${key}" }`],
]

it.each(files)('a key in %s is refused with its place, and shown nowhere: %s', (place, text) => {
  const file = parseConfig(text, 'c.yaml')
  const problems = configAgentProblems(file)
  expect(problems.filter(({ where }) => where.startsWith(`c.yaml:1 ${place}`))).toHaveLength(1)
  const shown = `${JSON.stringify(problems)}${takenText(configPowers(file))}`
  for (const secret of [random, password]) expect(shown).not.toContain(secret)
})

it('an agent with a key is not made, so no server is asked with it', () => {
  const [[, text]] = files as [[string, string]]
  const file = parseConfig(text, 'c.yaml')
  expect(dropInvalidNames({ solver: 'a=ollama:m' }, file, [])).toEqual({})
})

it('plain addresses, commands and options are no keys', () => {
  const text = `agents:
  a: { provider: openai-compatible, model: m, baseUrl: "https://h/openai?api-version=2024-10-21", keyVariable: OWN_KEY }
  b: { provider: acp, model: m, program: { command: [agent, --max-tokens, "40960000"], keyInside: API_KEY } }
providers: { ollama: { baseUrl: "http://127.0.0.1:11434" } }
methods: { e: { strategy: external, options: { command: [x, --token, none], env: { MAX_TOKENS: "4096" } } } }
secrets: [OTHER_SECRET_NAME]
notify: "https://u:${password}@h/hook"
`
  expect(configAgentProblems(parseConfig(text, 'c.yaml'))).toEqual([])
})
