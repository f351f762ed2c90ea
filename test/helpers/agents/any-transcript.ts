import fc from 'fast-check'
import { expect } from 'vitest'
import type { ToolTurn } from '../../../src/agents/agent.ts'
import type { Body } from '../../model-server/wire.ts'
import { agentRequest } from './agent-request.ts'
import { serve } from './http-agents.ts'
import { sentEvents } from './sent-events.ts'
import { callingAgent, toolsWith } from './tool-agents.ts'

/** Any text: empty, long, control characters, surrogates without their pair. */
const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({
    unit: fc.constantFrom('\ud83d', '\ude00', '😀', 'é', '"', '\\', '\0', '\n', '\u2028', '</x>'),
  }),
  fc.constant(''),
  fc.integer({ min: 1, max: 60_000 }).map((length) => 'lang '.repeat(length / 5)),
)

const anyArguments = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.dictionary(anyText, fc.jsonValue(), { maxKeys: 3 }).map((one) => JSON.stringify(one)),
  },
  fc.constantFrom('{"__proto__":{"a":1}}', '{"constructor":{"prototype":1}}', '{"a":"\\ud83d"}', '{}'),
  anyText,
)

const anyTurn = (n: number): fc.Arbitrary<ToolTurn> =>
  fc
    .record({
      text: anyText,
      calls: fc.array(fc.tuple(anyArguments, anyText, fc.boolean()), { minLength: 1, maxLength: 3 }),
    })
    .map(({ text, calls }) => ({
      text,
      calls: calls.map(([args], i) => ({
        id: `c${n}_${i}`,
        name: i % 2 ? 'check' : 'read',
        arguments: args,
      })),
      results: calls.map(([, result, isError], i) => ({
        id: `c${n}_${i}`,
        name: i % 2 ? 'check' : 'read',
        text: result,
        isError,
      })),
    }))

const anyTurns = fc
  .integer({ min: 1, max: 3 })
  .chain((length) => fc.tuple(...Array.from({ length }, (_, n) => anyTurn(n))))

const visible = (text: string) => text.replace(/\p{Surrogate}/gu, '\ufffd')

/** The arguments as they must arrive: an object, with the text under a key where it is none. */
function arriving(text: string): unknown {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {}
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  return JSON.parse(
    JSON.stringify(isObject ? value : { INVALID_JSON: text }).replace(/\\u(d[89a-f]\w\w)/g, '\ufffd'),
  )
}

/** What must arrive of turns. Blank texts are left out, since vendors refuse them; Ollama's own format always has the text. */
const expected = (turns: readonly ToolTurn[], keepsBlank: boolean) =>
  turns.flatMap(({ text, calls, results }) => [
    ...(text === '' || (text.trim() === '' && !keepsBlank) ? [] : [{ kind: 'said', text: visible(text) }]),
    ...calls.map(({ id, name, arguments: args }) => ({ kind: 'call', id, name, input: arriving(args) })),
    ...results.map((result) => ({ kind: 'result', id: result.id, text: visible(result.text) })),
  ])

/** Sends an agent transcripts of any texts and arguments, and reads from the server's log what arrived. */
export async function sendAnyTranscripts(name: string, numRuns: number): Promise<void> {
  const server = await serve([{ text: 'Done.', always: true }])
  const agent = await callingAgent(name, server.url)
  await fc.assert(
    fc.asyncProperty(anyTurns, async (turns) => {
      const request = agentRequest({ tools: toolsWith(turns), prompt: 'Go.' })
      const reply = await agent.ask(request, new AbortController().signal)
      expect(reply.error).toBeUndefined()
      const { body } = server.log.at(-1) as { body: Body }
      // Lone surrogates would be escapes, which servers refuse.
      expect(JSON.stringify(body)).not.toMatch(/\\ud[89a-f]/)
      expect(sentEvents(name, body).slice(1)).toEqual(expected(turns, name.startsWith('ollama')))
    }),
    { numRuns },
  )
}
