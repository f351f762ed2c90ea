import type { Tokens } from '../../schema/tokens.ts'
import type { AgentReply } from '../agent.ts'
import { rawUsage, reportedCost } from '../http/ask-once.ts'
import type { Upstream } from '../upstream.ts'
import { listAt, objectAt, textAt } from '../wire/json.ts'
import { newObservedReply, observePart } from '../wire/observe-reply.ts'
import { unreportedTokens } from '../wire/read-usage.ts'
import { createMeter, type Recorder } from './meter.ts'
import type { RequestFailure } from './request-failure.ts'

/** How requests of an agent's model are priced. */
export type Prices = Awaited<ReturnType<Upstream['loadPrices']>>

/** Begins a request, and answers with what came of it once it is over. */
export function recordReply(
  path: string,
  expected: Tokens,
  { price, tools }: { price: Prices; tools(): readonly string[] | undefined },
  answer: (reply: AgentReply) => void,
): Recorder {
  const began = performance.now()
  const meter = createMeter({ price })
  const observed = newObservedReply()
  const texts: string[] = []
  const recorder = meter.begin(path, expected, (part) => {
    observePart(observed, part)
    texts.push(...textsIn(part))
  })
  const settle = (isLeft = false) => {
    const { tokens = unreportedTokens, failure, isRefused, finish, bill: sum } = meter.read()
    const { model, estimated, ...bill } = sum
    const reported = reportedCost(observed.usage)
    const cost = reported === undefined ? bill : price(tokens, model, reported)
    const isCounted = tokens.input !== null && tokens.output !== null && cost.costUsd !== null
    // What the provider may have run for the program so far.
    const providerTools = tools()
    answer({
      text: texts.join(''),
      tokens,
      ...(isRefused ? { costUsd: 0 } : cost),
      ...rawUsage(observed.usage),
      ...(model !== undefined && { model }),
      ...(estimated && !isCounted && { estimated }),
      ...(finish && { finish }),
      ...(providerTools && { providerTools }),
      durationMs: Math.round(performance.now() - began),
      ...(failure && { error: errorOf(failure, isLeft) }),
    })
  }
  return {
    recordRequest: recorder.recordRequest,
    recordReply(reply, body) {
      recorder.recordReply(reply, body)
      for (const event of ['end', 'error', 'close']) body.on(event, () => settle())
    },
    recordBreak(code) {
      recorder.recordBreak(code)
      settle()
    },
    recordLeft() {
      recorder.recordLeft()
      settle(true)
    },
  }
}

/** What the program breaks off itself is no fault of its provider. */
function errorOf(
  { reason, status, words, retryAfterMs }: RequestFailure,
  isLeft: boolean,
): AgentReply['error'] {
  return {
    reason: isLeft ? 'request' : reason,
    message: isLeft
      ? 'the program closed the connection before the reply had ended'
      : [status, words].filter(Boolean).join(': ') || 'the connection broke off',
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  }
}

/** Returns the texts of a whole reply, or of one event of a stream, and the calls of tools as JSON. */
function textsIn(part: unknown): string[] {
  const value = objectAt({ part }, 'part')
  const choices = listAt(value, 'choices').map((choice) =>
    choice.delta === undefined ? objectAt(choice, 'message') : objectAt(choice, 'delta'),
  )
  const candidates = listAt(value, 'candidates').flatMap((one) => listAt(objectAt(one, 'content'), 'parts'))
  const outputs = listAt(value, 'output').flatMap((item) => [item, ...listAt(item, 'content')])
  const pieces = [
    ...choices,
    ...candidates,
    ...listAt(value, 'content'),
    ...outputs,
    objectAt(value, 'delta'),
  ]
  const typed = /^response\.output_text\.delta$/.test(textAt(value, 'type')) ? [textAt(value, 'delta')] : []
  return [
    ...typed,
    ...pieces.flatMap((piece) => {
      const call = piece.tool_calls ?? piece.functionCall ?? (piece.input && piece.name ? piece : undefined)
      const said = textAt(piece, 'content') || textAt(piece, 'text')
      return [said, ...(call === undefined ? [] : [JSON.stringify(call)])].filter(Boolean)
    }),
  ]
}
