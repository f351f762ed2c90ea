import { expect, it } from 'vitest'
import { conversationOf } from '../../src/agents/conversation.ts'
import { agentRequest } from '../helpers/agents/agent-request.ts'

it('a conversation has the latest whole turns of a long session and always the system prompt', () => {
  const turns = Array.from({ length: 50 }, (_, i) => ({ prompt: `p${i}`, reply: `r${i}` }))
  const messages = conversationOf(agentRequest({ system: 'rules', turns, prompt: 'now' }), 'run')
  expect(messages.map(({ role }) => role)).toEqual([
    'system',
    ...Array.from({ length: 40 }, (_, i) => (i % 2 === 0 ? 'user' : 'assistant')),
    'user',
  ])
  expect(messages[0]?.text).toMatch(/^\[[0-9a-f]{24}\]\nrules$/)
  expect(messages[1]?.text).toBe('p30')
  expect(messages.at(-2)?.text).toBe('r49')
  expect(messages.at(-1)?.text).toBe('now')
})

it('a conversation marks its first text, and equal trials of two runs get different marks', () => {
  const textIn = (run: string) => conversationOf(agentRequest({ prompt: 'now' }), run)[0]?.text
  expect(textIn('a')).toMatch(/^\[[0-9a-f]{24}\]\nnow$/)
  expect(textIn('a')).toBe(textIn('a'))
  expect(textIn('a')).not.toBe(textIn('b'))
})
