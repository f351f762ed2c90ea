import { expect, it } from 'vitest'
import { shownAgents } from '../../../src/commands/report/report-run.ts'
import {
  agentsText,
  legendTexts,
  shortName,
  wholeAgentsText,
} from '../../../src/reports/words/agents-text.ts'
import type { RunManifest } from '../../../src/schema/run/run.ts'

const coder = 'coder=openai-compatible:m'
const cheap = 'cheap=openai:gpt-5-nano'
const byRole = { '*': coder, auditor: cheap, summarizer: cheap }

it.each<[readonly string[] | undefined, string]>([
  [['solver'], 'coder'],
  [['solver', 'auditor'], 'solver: coder; auditor: cheap'],
  [['planner', 'auditor', 'solver', 'summarizer'], 'planner, solver: coder; auditor, summarizer: cheap'],
  [['planner', 'auditor', 'solver', 'critic'], 'auditor: cheap; others: coder'],
  [undefined, 'auditor, summarizer: cheap; others: coder'],
])('agents of the roles %o', (roles, text) => {
  expect(agentsText(byRole, roles, shortName)).toBe(text)
})

it.each<[string | Record<string, string>, string]>([
  ['openai:gpt-5', 'openai:gpt-5'],
  [{ '*': 'simulated' }, 'simulated'],
  [{ ada: 'openai:m', bob: 'ollama:n' }, 'ada=openai:m, bob=ollama:n'],
  [{ '*': 'openai:m', bob: 'ollama:n' }, 'bob: ollama:n; others: openai:m'],
  [{ bob: coder }, coder],
])('whole names of %o', (agents, text) => {
  expect(wholeAgentsText(agents)).toBe(text)
})

it('a legend has labels and settings, each agent once', () => {
  const settings = { [coder]: { temperature: 0.2, reasoning: 'high' as const } }
  expect(legendTexts([coder, cheap, coder, 'openai:gpt-5'], settings)).toMatchSnapshot()
})

it('a row shows the agents of the roles that its method has', () => {
  const manifest = {
    agents: byRole,
    agentSettings: { [coder]: { temperature: 0 } },
    methods: [
      { label: 'baseline', roles: ['solver'] },
      { label: 'audited', roles: ['solver', 'auditor'] },
    ],
  } as unknown as RunManifest
  const row = { set: null, agents: 'auditor=…' }
  expect(shownAgents(manifest, { ...row, method: 'baseline' })).toMatchSnapshot()
  expect(shownAgents(manifest, { ...row, method: 'audited' }).roleAgents).toBe(
    'solver: coder; auditor: cheap',
  )
})
