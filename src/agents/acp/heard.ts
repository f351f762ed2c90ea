import type { Tokens } from '../../schema/tokens.ts'
import { countAt, type Json, numberAt, objectAt, sum, textAt } from '../wire/json.ts'
import { unreportedTokens } from '../wire/read-usage.ts'

/** What an agent told in its updates while it answered one prompt. */
interface Heard {
  /** Begins to listen to a session, and drops what came before: an earlier conversation that was loaded again. */
  begin(session: string): void
  update(params: Json): void
  /** The answer: the last message, which calls of tools part from those before it. */
  text(): string
  /** The cost of the whole session, in US dollars; null if it was not told. */
  costUsd(): number | null
}

/** Collects what an agent tells: its messages, and what the session costs. Thoughts, plans and calls of tools are no part of the answer. */
export function createHeard(): Heard {
  let session: string | undefined
  let messages: string[][] = [[]]
  let costUsd: number | null = null
  let message = ''
  const calls = new Set<string>()
  const part = () => {
    if (messages.at(-1)?.length) messages.push([])
  }
  return {
    begin(id) {
      session = id
      messages = [[]]
    },
    update(params) {
      // What it tells of another session is none of this one's.
      if (session === undefined || textAt(params, 'sessionId') !== session) return
      const update = objectAt(params, 'update')
      const kind = textAt(update, 'sessionUpdate')
      // Some agents tell of a call for the first time when it has ended.
      if (kind.startsWith('tool_call') && !calls.has(textAt(update, 'toolCallId'))) {
        calls.add(textAt(update, 'toolCallId'))
        part()
      }
      if (kind === 'usage_update') {
        const cost = objectAt(update, 'cost')
        const amount = numberAt(cost, 'amount')
        if (textAt(cost, 'currency') === 'USD' && amount !== null && amount >= 0) costUsd = amount
      }
      if (kind !== 'agent_message_chunk') return
      const id = textAt(update, 'messageId')
      if (id !== message) part()
      message = id
      messages.at(-1)?.push(textAt(objectAt(update, 'content'), 'text'))
    },
    text: () => messages.map((parts) => parts.join('')).findLast((text) => text.trim() !== '') ?? '',
    costUsd: () => costUsd,
  }
}

/**
 * Returns the tokens of a prompt as an agent counts them. Only the total shows whether its input contains cache reads and its
 * output contains thoughts; where no total fits, the counts are unknown.
 */
export function tokensOf(usage: Json): Tokens {
  const [input, output, total] = [
    countAt(usage, 'inputTokens'),
    countAt(usage, 'outputTokens'),
    countAt(usage, 'totalTokens'),
  ]
  const cached = countAt(usage, 'cachedReadTokens')
  const cacheWrite = countAt(usage, 'cachedWriteTokens')
  const reasoning = countAt(usage, 'thoughtTokens')
  const apart = sum(input, cached ?? 0, cacheWrite ?? 0)
  const [wholeInput, wholeOutput] =
    [
      [input, output],
      [apart, output],
      [input, sum(output, reasoning ?? 0)],
      [apart, sum(output, reasoning ?? 0)],
    ].find(([into = null, out = null]) => total !== null && sum(into, out) === total) ?? []
  if (wholeInput == null || wholeOutput == null) return unreportedTokens
  return {
    input: wholeInput,
    output: wholeOutput,
    cached,
    ...(cacheWrite !== null && { cacheWrite }),
    ...(reasoning !== null && { reasoning }),
  }
}
