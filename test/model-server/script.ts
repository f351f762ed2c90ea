/** The model's answer to one request, or its failure. Plain JSON. */
export interface Answer {
  text?: string
  thinking?: string
  toolCalls?: readonly CalledTool[]
  /** Signs the thinking, or the first call, as vendors do who want it back: `signature`, `thoughtSignature`, `encrypted_content`. */
  signature?: string
  /** Sends the stream in pieces that end anywhere, also inside of characters; the seed of their lengths. */
  pieces?: number
  /** Why it ends; by default `tools` with tool calls, else `stop`. */
  end?: 'stop' | 'tools' | 'length' | 'refusal'
  /** The usage, if it is not counted from the texts. Null: the reply reports no usage. */
  usage?: Partial<Usage> | null
  /** The cost that the provider reports, in US dollars; only in Chat Completions, as by OpenRouter. */
  cost?: number
  failure?: Failure
  /** A fault of faults.ts, which replaces all fields above: it is shown as the vendor of the asked wire does. */
  fault?: string
  /** Which of the vendor's forms of the fault; the first by default. */
  form?: number
  /** Answers only requests that hold this text in their model's name or their messages. */
  when?: string
  /** It can be used any number of times. */
  always?: boolean
}

/** A call of a tool. */
export interface CalledTool {
  name: string
  /** That of a tool which is offered in one; only in Responses. */
  namespace?: string
  input: Readonly<Record<string, unknown>>
  /** The arguments as JSON text where the wire has them as text; they may be invalid. */
  raw?: string
  /** By default one that is made of the request's number and the call's place. Null: none, where the wire can do without. */
  id?: string | null
}

/** Tokens as the server counts them: `input` includes cache reads and writes, `output` includes reasoning. */
export interface Usage {
  input: number
  cached: number
  cacheWrite: number
  /** The part of `cacheWrite` that is kept for an hour. */
  cacheWriteHour: number
  output: number
  reasoning: number
}

/** An injected failure of an answer. */
export type Failure =
  | { kind: 'status'; status: number; message?: string; code?: string; retryAfter?: string }
  /** Sends nothing until the caller closes the connection. */
  | { kind: 'hang' }
  /**
   * The socket closes in the middle; before the headers with `early`, else after the share `at` of all bytes. With `clean` the reply
   * ends there as if it were whole.
   */
  | { kind: 'cut'; early?: boolean; at?: number; clean?: boolean }
  | { kind: 'malformed' }
  /** An error event after half of the stream: the wire's own, or these data, which a request without a stream gets with the status. */
  | { kind: 'error-event'; status?: number; message?: string; data?: Readonly<Record<string, unknown>> }
  /** A body in place of a reply. */
  | {
      kind: 'body'
      status: number
      type: string
      body: string
      headers?: Readonly<Record<string, string>>
    }
  /** The whole reply in one piece, as by servers that ignore the wish for a stream. */
  | { kind: 'unstreamed' }
  | { kind: 'slow'; ms: number }

/** A request, whatever its wire. */
export interface ModelRequest {
  /** From 1, over all requests that ask the model. */
  number: number
  model: string
  stream: boolean
  system: string
  messages: readonly Message[]
  /** Names of the tools that are offered. */
  tools: readonly string[]
  body: unknown
}

interface Message {
  role: 'user' | 'assistant' | 'tool'
  text: string
}

/** Answers in turn, or by request. */
export type Script =
  | readonly Answer[]
  | ((request: ModelRequest) => Answer | undefined | Promise<Answer | undefined>)

/** Plays a script: gives a request's answer, undefined when there is none left for it. */
export function play(script: Script): (request: ModelRequest) => Promise<Answer | undefined> {
  if (typeof script === 'function') return async (request) => script(request)
  const left = [...script]
  return async (request) => {
    const at = left.findIndex(({ when }) => when === undefined || holds(request, when))
    const answer = left[at]
    if (answer && !answer.always) left.splice(at, 1)
    return answer
  }
}

const holds = (request: ModelRequest, text: string) =>
  request.model.includes(text) ||
  request.system.includes(text) ||
  request.messages.some((message) => message.text.includes(text))

/** Returns the server's count for a request and its answer: the script's usage, else four characters per token. */
export function countUsage(request: ModelRequest, answer: Answer): Usage {
  const count = (text: string) => Math.ceil(text.length / 4)
  const reasoning = count(answer.thinking ?? '')
  const calls = JSON.stringify(answer.toolCalls ?? []).slice(2)
  return {
    input: count(request.system + request.messages.map(({ text }) => text).join('')),
    cached: 0,
    cacheWrite: 0,
    cacheWriteHour: 0,
    output: count((answer.text ?? '') + calls) + reasoning,
    reasoning,
    ...answer.usage,
  }
}

/** Returns the arguments of a call as JSON text. */
export const argumentsText = ({ raw, input }: CalledTool): string => raw ?? JSON.stringify(input)

/** Returns the id of a call, and undefined if it has none. */
export const callId = ({ id }: CalledTool, made: string): string | undefined =>
  id === null ? undefined : (id ?? made)

/** Why an answer ends. */
export const endOf = ({ end, toolCalls }: Answer): NonNullable<Answer['end']> =>
  end ?? (toolCalls?.length ? 'tools' : 'stop')

/** A text in two halves, as streams send it; surrogate pairs stay whole. */
export function halves(text: string): string[] {
  let middle = text.length >> 1
  if (/[\uD800-\uDBFF]/.test(text[middle - 1] ?? '')) middle++
  return [text.slice(0, middle), text.slice(middle)].filter((half) => half !== '')
}
