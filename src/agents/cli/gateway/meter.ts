import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import type { Finish } from '../../../schema/ledger/finish.ts'
import type { Tokens } from '../../../schema/tokens.ts'
import { breakOf } from '../../wire/observe-reply.ts'
import { breakExchange, type Exchange, newExchange, watchExchange } from './exchange.ts'
import { failureFinder, isInVain, modelExchanges, outageOf, type RequestFailure } from './request-failure.ts'
import { tokensOf, wereRefused } from './sum-tokens.ts'
import { watchRequest } from './watch-request.ts'

/** The gateway's measurements of one call. */
export interface Metered {
  /**
   * The provider's own counts, summed over all requests of the program, including hidden and repeated ones; null if a reply
   * broke off, since its tokens were generated but not reported; 0 if all were refused. Undefined if there was no model's reply.
   */
  tokens: Tokens | undefined
  /** All requests were refused before a byte of a reply, so the call cost nothing. */
  isRefused: boolean
  /** Why the last request failed; undefined if it succeeded. */
  failure: RequestFailure | undefined
  /** The failure in which the program has spent its time; undefined if a model answered or was awaited. */
  outage: RequestFailure | undefined
  /** Why the last model's reply ended; undefined if it does not tell. */
  finish: Finish | undefined
  /** The model of the last model's reply; undefined if it does not tell. */
  model: string | undefined
}

/** Measures the requests of one call as they pass through the gateway. */
export interface Meter {
  /** Records that a request was sent to a path. */
  begin(path: string): Recorder
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

/** Creates the meter of one call of a program. Calls `onVain` when the program only repeats requests that fail. */
export function createMeter(onVain: () => void = () => {}): Meter {
  const began = performance.now()
  const exchanges: Exchange[] = []
  const check = () => {
    if (isInVain(exchanges)) onVain()
  }
  return {
    begin(path) {
      const exchange = newExchange(path)
      exchanges.push(exchange)
      return {
        recordRequest: (body) => {
          if (!exchange.isModelPath) return
          watchRequest(path, body, (asked) => {
            exchange.request = asked
          })
        },
        recordReply: (reply, body) => watchExchange(exchange, reply, body, check),
        recordBreak: (code) => {
          breakExchange(exchange, code)
          check()
        },
        recordLeft: () => {
          if (exchange.over === undefined) exchange.isLeft = true
        },
      }
    },
    read: () => {
      const asked = modelExchanges(exchanges)
      const last = asked.findLast(({ end }) => end.kind !== 'not-model')
      return {
        tokens: tokensOf(exchanges),
        isRefused: wereRefused(exchanges),
        failure: last && failureFinder(asked)(last),
        outage: outageOf(exchanges, began, performance.now()),
        finish: finishOf(asked),
        model: repliesOf(asked).findLast(({ model }) => model !== undefined)?.model,
      }
    },
  }
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
