import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import type { Finish } from '../../schema/ledger/step.ts'
import type { Tokens } from '../../schema/tokens.ts'
import type { CallLimits, RequestUse } from '../agent.ts'
import { sum } from '../wire/json.ts'
import { breakOf } from '../wire/observe-reply.ts'
import { breakExchange, type Exchange, newExchange, watchExchange, watchRequest } from './exchange.ts'
import type { OnPart } from './reply-reader.ts'
import {
  billOf,
  expectedTokens,
  type PriceReply,
  type RequestsBill,
  sumBills,
  tokensOf,
  wereRefused,
} from './request-bill.ts'
import { failureFinder, isInVain, modelExchanges, outageOf, type RequestFailure } from './request-failure.ts'

/** The gateway's measurements of one call. */
export interface Metered {
  /** Number of requests that were sent to the provider. */
  requests: number
  /** Why a limit refused a further request; undefined if none did. */
  refused: string | undefined
  /**
   * The provider's own counts, summed over all requests of the program, including hidden and repeated ones; null if a reply
   * broke off, since its tokens were generated but not reported; 0 if all were refused. Undefined if there was no model's reply.
   */
  tokens: Tokens | undefined
  /** Which models answered, the sum of their prices, and what limits count where a bill could not be read. */
  bill: RequestsBill
  /** All requests were refused before a byte of a reply, so the call cost nothing. */
  isRefused: boolean
  /** Why the last request failed; undefined if it succeeded. */
  failure: RequestFailure | undefined
  /** The failure in which the program has spent its time; undefined if a model answered or was awaited. */
  outage: RequestFailure | undefined
  /** Why the last model's reply ended; undefined if it does not tell. */
  finish: Finish | undefined
}

/** Measures the requests of one call as they pass through the gateway. */
export interface Meter {
  /**
   * Waits until the limits have room for a request with a body. Returns what begins it, which must be called when it is sent to a path; or
   * why a limit refuses it; undefined if the signal aborted before. `end` closes the program's connection.
   */
  admit(
    body: Buffer,
    signal: AbortSignal,
    end?: () => void,
  ): Promise<((path: string) => Recorder) | { refused: string } | undefined>
  /** Records that a request was sent to a path. `onPart` gets the parts of its reply. */
  begin(path: string, expected?: Tokens, onPart?: OnPart): Recorder
  /** Returns the sum. A request that is still open counts as broken off. */
  read(): Metered
}

/** Records what comes of one request. */
export interface Recorder {
  /** Records the request while its body passes. */
  recordRequest(body: Readable): void
  /** Records a reply; `body` is its decompressed content. */
  recordReply(reply: IncomingMessage, body: Readable): void
  /** Records that there was no connection, or that it ended before a reply. */
  recordBreak(code: string | undefined): void
  /** Records that the program closed its connection. */
  recordLeft(): void
}

interface MeteredCall {
  limits?: CallLimits | undefined
  price?: PriceReply | undefined
  /** Called when the program only repeats requests that fail, or when a limit has refused one and none is in flight. */
  onStop?(): void
}

/**
 * How long requests in flight have to end after a limit has refused another one; ms. They are paid, and their use is known only at their
 * end. What the program makes of their replies counts no more, so it gets no time for it.
 */
const graceMs = 10_000

const noPrice: PriceReply = () => ({ costUsd: null })

/** Creates the meter of one call of a program. */
export function createMeter({ limits, price = noPrice, onStop = () => {} }: MeteredCall = {}): Meter {
  const began = performance.now()
  const exchanges: Exchange[] = []
  const open = new Map<Exchange, RequestUse>()
  let refused: string | undefined
  let timer: NodeJS.Timeout | undefined
  const useOf = (expected: Tokens) => ({
    tokens: sum(expected.input, expected.output) ?? 0,
    costUsd: price(expected).costUsd,
  })
  const refuse = (why: string) => {
    refused ??= why
    timer ??= setTimeout(onStop, open.size === 0 ? 0 : graceMs)
    return { refused: why }
  }
  const settle = (exchange: Exchange) => {
    const expected = open.get(exchange)
    if (!expected) return
    open.delete(exchange)
    limits?.end(expected, billOf(exchange, price)?.counted ?? { tokens: 0, costUsd: 0 })
    if (isInVain(exchanges) || (refused !== undefined && open.size === 0)) onStop()
  }
  const meter: Meter = {
    async admit(body, signal) {
      const expected = expectedTokens(body)
      const begun = limits ? await limits.begin(useOf(expected), signal) : 'begun'
      if (typeof begun === 'object') return refuse(begun.refused)
      return begun === 'gone' ? undefined : (path) => meter.begin(path, expected)
    },
    begin(path, expected = expectedTokens(Buffer.alloc(0)), onPart) {
      const exchange = { ...newExchange(path, expected), onPart }
      exchanges.push(exchange)
      open.set(exchange, useOf(expected))
      return {
        recordRequest: (body) => {
          if (!exchange.isModelPath) return
          watchRequest(path, body, (asked) => {
            exchange.request = asked
          })
        },
        recordReply: (reply, answer) => watchExchange(exchange, reply, answer, () => settle(exchange)),
        recordBreak: (code) => {
          breakExchange(exchange, code)
          settle(exchange)
        },
        recordLeft: () => {
          if (exchange.over === undefined) exchange.isLeft = true
          settle(exchange)
        },
      }
    },
    read: () => {
      clearTimeout(timer)
      for (const exchange of [...open.keys()]) settle(exchange)
      const asked = modelExchanges(exchanges)
      const last = asked.findLast(({ end }) => end.kind !== 'not-model')
      return {
        requests: exchanges.length,
        refused,
        tokens: tokensOf(exchanges),
        bill: sumBills(exchanges, price),
        isRefused: wereRefused(exchanges),
        failure: last && failureFinder(asked)(last),
        outage: outageOf(exchanges, began, performance.now()),
        finish: finishOf(asked),
      }
    },
  }
  return meter
}

const repliesOf = (asked: readonly Exchange[]) =>
  asked.flatMap(({ end }) => (end.kind === 'read' ? [end.reply] : []))

function finishOf(asked: readonly Exchange[]): Finish | undefined {
  const last = repliesOf(asked).at(-1)
  if (!last?.ended || breakOf(last) !== undefined) return undefined
  const { finish = 'stop', refusal, said } = last
  if (finish === 'stop' && refusal !== '') return 'refusal'
  const isThought = said.has('thought') && !said.has('text') && !said.has('call')
  return finish === 'stop' && isThought ? 'thoughts' : last.finish
}
