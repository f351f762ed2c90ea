import { describe, expect, it } from 'vitest'
import type { ToolTurn } from '../../../src/agents/agent.ts'
import { sentEvents } from '../../helpers/agents/sent-events.ts'
import {
  askWithTools,
  callingAgents,
  definitions,
  toolsWith,
  turnOf,
  twoCalls,
} from '../../helpers/agents/tool-agents.ts'
import type { Body } from '../../model-server/wire.ts'

const done = { text: 'Done.' }
const turn: ToolTurn = {
  text: 'I look.',
  calls: [
    { id: 'a1', name: 'read', arguments: '{"path":"x"}' },
    { id: 'a2', name: 'check', arguments: '{}' },
  ],
  results: [
    { id: 'a1', name: 'read', text: 'the text', isError: false },
    { id: 'a2', name: 'check', text: 'no checks here', isError: true },
  ],
}

describe.each(callingAgents)('%s', (name) => {
  it('sends the tools with their schemas, and leaves the choice to the model', async () => {
    const { text } = await askWithTools(name, [done])
    for (const { name: tool, description } of definitions) {
      expect(text).toContain(`"name":"${tool}"`)
      expect(text).toContain(description)
    }
    expect(text).toContain('"path":{"type":"string"}')
    expect(text).not.toMatch(/"tool_?choice":(?!"auto")|"mode":"(ANY|NONE)"/i)
  })

  it('sends the turns so far after the prompt: text, calls, then their results in the same order', async () => {
    const { body } = await askWithTools(name, [done], { tools: toolsWith([turn]), prompt: 'Go.' })
    expect(sentEvents(name, body as Body)).toEqual([
      { kind: 'user', text: expect.stringMatching(/^\[[0-9a-f]{24}\]\nGo\.$/) },
      { kind: 'said', text: 'I look.' },
      { kind: 'call', id: 'a1', name: 'read', input: { path: 'x' } },
      { kind: 'call', id: 'a2', name: 'check', input: {} },
      { kind: 'result', id: 'a1', text: 'the text' },
      { kind: 'result', id: 'a2', text: 'no checks here' },
    ])
  })

  it('forbids calls in the last turn', async () => {
    const { body, text } = await askWithTools(name, [done], { tools: toolsWith([turn], true) })
    // Ollama cannot forbid them, and needs no definitions.
    if (name.startsWith('ollama')) return expect(body).not.toHaveProperty('tools')
    expect(text).toContain('"path":{"type":"string"}')
    expect(text).toMatch(/"tool_choice":"none"|"tool_choice":\{"type":"none"\}|"mode":"NONE"/)
  })

  it('keeps the mark of the trial, the session and the order of its turns', async () => {
    const { body, text } = await askWithTools(name, [done], {
      tools: toolsWith([turn]),
      session: 's',
      turns: [{ prompt: 'one', reply: 'uno' }],
      prompt: 'two',
    })
    const texts = sentEvents(name, body as Body).flatMap((event) => ('text' in event ? [event.text] : []))
    expect(texts.slice(1)).toEqual(['uno', 'two', 'I look.', 'the text', 'no checks here'])
    expect(texts[0]).toMatch(/^\[[0-9a-f]{24}\]\none$/)
    if (name.startsWith('anthropic')) expect(text.match(/cache_control/g)).toHaveLength(1)
  })

  it('gives a turn back so that the server reads what it sent, also after the journal', async () => {
    const thinking = 'They want both.'
    const first = await askWithTools(name, [{ ...twoCalls, thinking, signature: 'c2lnbmVkIQ==' }])
    expect(first.reply.error).toBeUndefined()
    const turns = [turnOf(first.reply, [{ text: 'one' }, { text: 'two' }])]
    const { body } = await askWithTools(name, [done], { tools: toolsWith(turns) })
    const events = sentEvents(name, body as Body).slice(1)
    const ids = first.reply.toolCalls?.map(({ id }) => id)
    expect(events.filter(({ kind }) => kind !== 'reasoning')).toEqual([
      { kind: 'said', text: 'I look.' },
      { kind: 'call', id: ids?.[0], name: 'read', input: { path: 'é/😀.txt' } },
      { kind: 'call', id: ids?.[1], name: 'check', input: {} },
      { kind: 'result', id: ids?.[0], text: 'one' },
      { kind: 'result', id: ids?.[1], text: 'two' },
    ])
  })
})

/** Asks twice, with the first reply as a turn, and returns the second request. */
async function givenBack(name: string, thinking: string, signature?: string) {
  const answer = { ...twoCalls, thinking, ...(signature !== undefined && { signature }) }
  const { reply } = await askWithTools(name, [answer])
  const { body } = await askWithTools(name, [done], { tools: toolsWith([turnOf(reply, [])]) })
  return JSON.stringify(body)
}

describe('what goes back to the provider', () => {
  it('is Anthropic’s signed thinking, also if its text is empty', async () => {
    for (const thinking of ['They want both.', ''])
      expect(await givenBack('anthropic:claude-sonnet-4-5', thinking, 'c2ln')).toContain(
        `{"type":"thinking","thinking":"${thinking}","signature":"c2ln"}`,
      )
  })

  it('is OpenAI’s encrypted reasoning, since nothing is stored there', async () => {
    const sent = await givenBack('openai:gpt-5', 'They want both.', 'encrypted')
    expect(sent).toContain('"encrypted_content":"encrypted"')
    expect(sent).toContain('"store":false')
    expect(await givenBack('openai:gpt-5', 'They want both.')).not.toContain('"type":"reasoning"')
  })

  it('is Gemini’s signature, on the call that had it', async () => {
    const sent = await givenBack('google:gemini-2.5-pro', '', 'c2ln')
    expect(sent.match(/"thoughtSignature":"c2ln"/g)).toHaveLength(1)
    expect(sent).toMatch(/"functionCall":\{[^}]*"path":"é\/😀.txt"\}\},"thoughtSignature":"c2ln"/)
  })

  it('is reasoning under the name under which a server of Chat Completions sent it', async () => {
    expect(await givenBack('openai-compatible:m', 'They want both.')).toContain(
      '"reasoning_content":"They want both."',
    )
    expect(await givenBack('openai-compatible:m', '')).not.toContain('reasoning')
  })

  it('is Ollama’s thinking', async () => {
    expect(await givenBack('ollama:test', 'They want both.')).toContain('"thinking":"They want both."')
  })
})

it('OpenAI gets schemas that it may not change', async () => {
  const { text } = await askWithTools('openai:gpt-5', [done])
  expect(text.match(/"strict":false/g)).toHaveLength(definitions.length)
})

it('Anthropic gets errors of tools marked as errors', async () => {
  const { text } = await askWithTools('anthropic:claude-sonnet-4-5', [done], { tools: toolsWith([turn]) })
  expect(text.match(/"is_error":true/g)).toHaveLength(1)
})

it('Ollama gets the name of the tool beside its result', async () => {
  const { text } = await askWithTools('ollama:test', [done], { tools: toolsWith([turn]) })
  expect(text).toContain('"role":"tool","tool_name":"check"')
})
