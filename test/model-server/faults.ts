import { accountRefusals } from './account-refusals.ts'
import type { Refusal, WireName } from './refusal.ts'
import { requestRefusals } from './request-refusals.ts'
import type { Answer } from './script.ts'

type Forms = Partial<Record<WireName, readonly Answer[]>>

const wires: readonly WireName[] = ['anthropic', 'openai-responses', 'openai-chat', 'gemini', 'ollama']

/** The same answers on each of these wires. */
const on = (names: readonly WireName[], ...answers: readonly Answer[]): Forms =>
  Object.fromEntries(names.map((name) => [name, answers]))
const onAll = (...answers: readonly Answer[]) => on(wires, ...answers)

const refused = (forms: Partial<Record<WireName, readonly Refusal[]>>): Forms =>
  Object.fromEntries(
    Object.entries(forms).map(([wire, all]) => [wire, all.map((failure): Answer => ({ failure }))]),
  )

const said: Answer = { text: 'The answer is 42.' }
/** An error in the stream; its status is what a request without a stream gets. */
const inStream = (status: number, data: Readonly<Record<string, unknown>>): readonly Answer[] => [
  { ...said, failure: { kind: 'error-event', status, data } },
]
const page =
  '<!DOCTYPE html>\n<html><head><title>Sign in</title></head><body>Please sign in to the proxy.</body></html>\n'

/** Faults of replies, by name and wire. */
const replies = {
  refusal: {
    ...on(['anthropic', 'openai-responses', 'openai-chat', 'gemini'], {
      text: 'I cannot help with that.',
      end: 'refusal',
    }),
  },
  'empty reply': onAll({ usage: { output: 1 } }),
  'thoughts alone': onAll({ thinking: 'Six times seven is forty-two.' }),
  'limit in the text': onAll({ text: 'The answer is 42, since', end: 'length' }),
  'limit before the text': onAll({ end: 'length', usage: { output: 4000, reasoning: 4000 } }),
  'tool call': onAll({ toolCalls: [{ name: 'save_answer', input: { answer: '42' } }] }),
  'stream cut': onAll({ ...said, failure: { kind: 'cut' } }),
  'error in the stream': {
    anthropic: inStream(529, { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }),
    'openai-responses': inStream(500, {
      type: 'response.failed',
      sequence_number: 5,
      response: {
        id: 'resp_1',
        object: 'response',
        created_at: 1_767_225_600,
        model: 'gpt-5',
        status: 'failed',
        error: {
          code: 'server_error',
          message:
            'An error occurred while processing your request. You can retry your request, or contact us through our help center at help.openai.com if the error persists.',
        },
        incomplete_details: null,
        output: [],
        usage: null,
      },
    }),
    // OpenRouter, vLLM.
    'openai-chat': [
      ...inStream(502, {
        id: 'gen-1',
        object: 'chat.completion.chunk',
        created: 1_767_225_600,
        model: 'test',
        provider: 'Test',
        error: { code: 502, message: 'Provider disconnected' },
        choices: [{ index: 0, delta: { content: '' }, finish_reason: 'error' }],
      }),
      ...inStream(500, {
        error: { object: 'error', message: 'EngineCore died.', type: 'InternalServerError', code: 500 },
      }),
    ],
    gemini: inStream(503, {
      error: {
        code: 503,
        message: 'The model is overloaded. Please try again later.',
        status: 'UNAVAILABLE',
      },
    }),
    ollama: inStream(500, { error: 'an error was encountered while running the model: CUDA error' }),
  },
  'HTML page': onAll({ failure: { kind: 'body', status: 200, type: 'text/html', body: page } }),
  'no stream': onAll({ ...said, failure: { kind: 'unstreamed' } }),
  'hanging server': onAll({ failure: { kind: 'hang' } }),
  // Messages always holds the usage; without it, the reply has another format.
  'no usage': on(['openai-responses', 'openai-chat', 'gemini', 'ollama'], { ...said, usage: null }),
} satisfies Record<string, Forms>

/** Faults by name, in the order of docs/reference/fault-table.md: per wire, the forms in which its vendors show them, the most common first. */
export const faults: Readonly<Record<string, Forms>> = {
  ...Object.fromEntries(
    Object.entries({ ...accountRefusals, ...requestRefusals }).map(([name, forms]) => [name, refused(forms)]),
  ),
  ...replies,
}

/** Returns the answer that stands for a fault on a wire; status 418 where the wire cannot show it. */
export function answerOfFault(name: string, wire: string, form = 0): Answer {
  const answer = faults[name]?.[wire as WireName]?.[form]
  const message = `the wire ${wire} has no fault "${name}" in form ${form}`
  return answer ?? { failure: { kind: 'status', status: 418, message } }
}
