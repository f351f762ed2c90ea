import { describe, expect, it } from 'vitest'
import { configAgentProblems } from '../../../src/commands/agents/config-agents.ts'
import { parseConfig } from '../../../src/commands/config/config-file.ts'
import { UserError } from '../../../src/text/errors.ts'

const problemsIn = (text: string): string => {
  try {
    return configAgentProblems(parseConfig(text, 'bench.yaml'))
      .map(({ where, what, fix = '' }) => `${where} ${what}. ${fix}`)
      .join('\n')
  } catch (error) {
    if (error instanceof UserError) return error.message
    throw error
  }
}

it('agents of roles under run.agents are refused with the place where they belong', () => {
  expect(problemsIn('run:\n  agents: { solver: coder }\n')).toMatchSnapshot()
})

it('a list of agents in place of a map gets no remedy of run.agents', () => {
  expect(problemsIn('agents: [coder]\n')).not.toContain('roles:')
})

it.each(['127.0.0.1:8000/v1', 'localhost:8000', 'ftp://host/v1', 'https//host'])(
  'a baseUrl that is no web address is refused with file, line and agent: %s',
  (baseUrl) => {
    const text = `agents:\n  coder: { provider: openai-compatible, model: m, baseUrl: "${baseUrl}" }\n`
    expect(problemsIn(text)).toMatchSnapshot()
  },
)

describe('a key in the program of an agent', () => {
  const keyLike = ['sk', 'ant', 'api03', 'a1B2c3D4e5F6g7H8i9J0k1L2'].join('-')
  const programOf = (fields: string) =>
    `agents:\n  mine:\n    provider: acp\n    model: m\n    program: { command: [my-agent], ${fields} }\n`

  it.each([
    ['env.MODEL_HEADERS', `env: { MODEL_HEADERS: "Authorization:${keyLike}" }`],
    ['command.1', `command: [my-agent, "${keyLike}"]`],
    ['home..my-agent/s.json', `home: { .my-agent/s.json: '{"apiKey": "${keyLike}"}' }`],
  ])('is refused by its form, wherever it stands: %s', (_, fields) => {
    const text = programOf(fields).replace('command: [my-agent], command', 'command')
    const problems = problemsIn(text)
    expect(problems).toMatch(
      /has what looks like an API key; a config file must not hold keys\. Set keyVariable to/,
    )
    expect(problems).not.toContain(keyLike)
  })

  it('is told by the variable that is named like one, and what is no key passes', () => {
    expect(problemsIn(programOf('env: { MY_API_KEY: "abcdefgh-ijkl" }'))).toMatch(
      /has the key MY_API_KEY; a config file must not hold keys\. Set keyVariable .* and keyInside to MY_API_KEY\.$/,
    )
    expect(problemsIn(programOf('env: { OPENAI_BASE_URL: "{baseUrl}" }'))).toBe('')
  })
})
