import { expect, it } from 'vitest'
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
