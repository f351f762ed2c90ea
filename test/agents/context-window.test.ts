import { expect, it } from 'vitest'
import { loadContextWindows } from '../../src/agents/context-window.ts'

it("an agent's own window wins, then that of its program, then the price table's", async () => {
  const windowOf = await loadContextWindows()
  const agent = 'main=anthropic:claude-sonnet-4-5'
  const program = { command: ['own'], text: '$.a', window: 5000 }
  expect(windowOf({ agent, setting: { window: 1000, program } })).toEqual({ tokens: 1000, source: 'setting' })
  expect(windowOf({ agent: 'own=cli:m', setting: { program } })).toEqual({ tokens: 5000, source: 'setting' })
  expect(windowOf({ agent })).toEqual({ tokens: 200_000, source: 'table' })
  expect(windowOf({ agent: 'claude-cli:sonnet', answered: 'claude-sonnet-4-5' })).toEqual({
    tokens: 200_000,
    source: 'table',
  })
})

it('the window of a simulated agent, an unknown model or a server of your own is unknown, not guessed', async () => {
  const windowOf = await loadContextWindows()
  expect(windowOf({ agent: 'simulated' })).toBeUndefined()
  expect(windowOf({ agent: 'anthropic:no-such-model' })).toBeUndefined()
  expect(windowOf({ agent: 'openai-compatible:gpt-5', endpoint: 'http://127.0.0.1:8000/v1' })).toBeUndefined()
  expect(windowOf({ agent: 'ollama:gpt-5', endpoint: 'http://127.0.0.1:11434' })).toBeUndefined()
})
