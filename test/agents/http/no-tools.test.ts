import { describe, expect, it } from 'vitest'
import { refusesTools } from '../../../src/agents/http/ask-once.ts'
import { askWithTools } from '../../helpers/agents/tool-agents.ts'

/** What servers say, as users reported it. */
const refusals: readonly [agent: string, status: number, message: string][] = [
  ['ollama:test', 400, 'registry.ollama.ai/library/gemma3:4b does not support tools'],
  ['openai-compatible:m', 400, 'stablelm2:latest does not support tools'],
  [
    'openai-compatible:m',
    404,
    'No endpoints found that support tool use. Try disabling "read". To learn more about provider routing, visit: https://openrouter.ai/docs/guides/routing/provider-selection',
  ],
  ['openai-compatible:m', 404, "No endpoints found that support the provided 'tool_choice' value."],
  ['openai-compatible:m', 500, 'tools param requires --jinja flag'],
  [
    'openai-compatible:m',
    400,
    '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set',
  ],
  ['openai-compatible:m', 400, 'deepseek-reasoner does not support Function Calling'],
  ['openai-compatible:m', 400, '`tools` is not supported with this model'],
  ['openai-compatible:m', 400, '`tool calling` is not supported with this model'],
  ['openai:gpt-5', 400, "Unsupported parameter: 'tools' is not supported with this model."],
  ['google:gemini-2.5-pro', 400, 'Function calling is not enabled for models/gemma-3-12b-it'],
]

describe('a server or model that takes no tools', () => {
  it.each(refusals)('is named by %s after status %i: %s', async (agent, status, message) => {
    const { reply } = await askWithTools(agent, [{ failure: { kind: 'status', status, message } }])
    // No retry would help, also after status 500.
    expect(reply.error?.reason).toBe('request')
    const [words] = message.split('https')
    expect(reply.error?.message).toContain(`${agent} takes no tools (its server says "${status}: ${words}`)
    expect(reply.error?.message).toMatch(/; use `--tools none`, or a model or server that takes tools$/)
  })

  it('keeps other errors as they are, also where they mention tools', async () => {
    const messages = [
      'custom.input_schema: JSON schema is invalid',
      'messages: tool_use ids were found without tool_result blocks immediately after',
      'the tool call quota of your plan is used up',
      'overloaded',
    ]
    for (const message of messages) {
      expect(refusesTools(message), message).toBe(false)
      const { reply } = await askWithTools('openai-compatible:m', [
        { failure: { kind: 'status', status: 500, message } },
      ])
      expect(reply.error).toEqual({ reason: 'server', message: `500: ${message}` })
    }
  })

  it('is not suspected when no tools were sent', async () => {
    const failure = { kind: 'status', status: 500, message: 'tools param requires --jinja flag' } as const
    const { reply } = await askWithTools('openai-compatible:m', [{ failure }], { tools: undefined })
    expect(reply.error?.reason).toBe('server')
  })
})
