import type { Tokens } from '../../schema/tokens.ts'
import type { AgentReply } from '../agent.ts'
import { rawUsage, reportedCost } from '../http/ask-once.ts'
import type { Upstream } from '../upstream.ts'
import { type Json, listAt, objectAt, textAt } from '../wire/json.ts'
import { newObservedReply, observePart } from '../wire/observe-reply.ts'
import { unreportedTokens } from '../wire/read-usage.ts'
import { createMeter, type Meter, type Recorder } from './meter.ts'

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
  const settle = (isLeft = false) =>
    answer(
      replyOf({
        ...meter.read(),
        text: texts.join(''),
        usage: observed.usage,
        isLeft,
        began,
        price,
        tools: tools(),
      }),
    )
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

interface Relayed extends ReturnType<Meter['read']> {
  text: string
  usage: Json
  isLeft: boolean
  began: number
  price: Prices
  /** What the provider may have run for the program so far. */
  tools: readonly string[] | undefined
}

function replyOf({ text, usage, isLeft, began, price, tools, ...metered }: Relayed): AgentReply {
  const { tokens = unreportedTokens, failure, isRefused, finish } = metered
  const { model, estimated, ...bill } = metered.bill
  const reported = reportedCost(usage)
  const cost = reported === undefined ? bill : price(tokens, model, reported)
  const isCounted = tokens.input !== null && tokens.output !== null && cost.costUsd !== null
  return {
    text,
    tokens,
    ...(isRefused ? { costUsd: 0 } : cost),
    ...rawUsage(usage),
    ...(model !== undefined && { model }),
    ...(estimated && !isCounted && { estimated }),
    ...(finish && { finish }),
    ...(tools && { providerTools: tools }),
    durationMs: Math.round(performance.now() - began),
    ...(failure && {
      error: {
        // What the program breaks off itself is no fault of its provider.
        reason: isLeft ? 'request' : failure.reason,
        message: isLeft
          ? 'the program closed the connection before the reply had ended'
          : [failure.status, failure.words].filter(Boolean).join(': ') || 'the connection broke off',
        ...(failure.retryAfterMs !== undefined && { retryAfterMs: failure.retryAfterMs }),
      },
    }),
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
