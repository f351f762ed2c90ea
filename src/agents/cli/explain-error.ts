import type { SandboxResult } from '../../sandbox/sandbox.ts'
import type { AgentErrorReason } from '../../text/errors.ts'
import type { AgentReply, AgentRequest } from '../agent.ts'
import { wordsOf } from '../failures/server-words.ts'
import type { Metered } from '../gateway/meter.ts'
import { type Refusals, refusalWords } from '../gateway/refusals.ts'
import type { RequestFailure } from '../gateway/request-failure.ts'
import { unreportedTokens } from '../wire/read-usage.ts'
import type { CliEnd } from './call.ts'
import type { CliKind, CliReading } from './kind.ts'

type AgentFailure = NonNullable<AgentReply['error']>

/** Returns the reading of a program that failed and reported no usage. */
export const failureReading = (reason: AgentErrorReason, message: string): CliReading => ({
  text: '',
  tokens: unreportedTokens,
  costUsd: null,
  cumulative: { tokens: false, cost: false },
  error: { reason, message },
})

const own: readonly AgentErrorReason[] = ['limit', 'unasked']

/** Reasons of a program that say more than what the gateway saw. */
const specific: readonly AgentErrorReason[] = ['context-overflow', 'refusal']

/**
 * Returns a program's error with what the gateway saw. A failure at the provider gives the reason unless the program's own is more
 * specific, and the server's words if the program does not repeat them. A program whose time is up has failed by an outage if it spent
 * the time on one. If it gives no reason, the end of the model's last reply may be it. A refusal is one whatever the program makes of it.
 */
export function explainError(
  { reason, message }: NonNullable<CliReading['error']>,
  { failure, outage, finish }: Pick<Metered, 'failure' | 'outage' | 'finish'>,
): AgentFailure {
  if (own.includes(reason)) return { reason, message }
  if (reason === 'timeout') return outage ? withFailure(message, outage) : { reason, message }
  if (specific.includes(reason)) return { reason, message: withWords(message, failure) }
  // Of an error inside a reply some programs know only that the stream ended.
  if (failure && (failure.certain || failure.isBrokenOff || ['exit', 'network'].includes(reason)))
    return withFailure(message, failure)
  // Some programs call a whole reply that they cannot use a broken stream.
  const isUseless = finish === 'refusal' || (finish === 'length' && reason === 'network')
  const isEnd = reason === 'exit' || (isUseless && !failure)
  return { reason: isEnd ? reasonOfFinish(finish) : reason, message: wordsOf(message).message }
}

/** Returns the error of a reply that a program passes on although a refusal or an outage ended it; undefined for any other. */
export function endedReply({
  failure,
  finish,
}: Pick<Metered, 'failure' | 'finish'>): AgentFailure | undefined {
  if (failure?.isBrokenOff) return { reason: failure.reason, message: failure.words ?? '' }
  return finish === 'refusal' && !failure
    ? { reason: 'refusal', message: 'the model, or a filter around it, refused' }
    : undefined
}

/**
 * Adds to a reply what the gateway refused, and what it let the provider run. A program that failed by a refusal of its last request may
 * take it for one of its key.
 */
export function withRefusals(reply: AgentReply, refusals: Refusals): AgentReply {
  const [refused, providerTools, last] = [refusals.read(), refusals.tools(), refusals.last()]
  const { error } = reply
  const isTold = error?.message.includes(refusalWords) ?? false
  const told = isTold || last === undefined ? '' : ` (${refusalWords}: it ${last})`
  const isCause = isTold || (last !== undefined && error?.reason === 'key')
  return {
    ...reply,
    ...(refused && { refused }),
    ...(providerTools && { providerTools }),
    ...(error && {
      error: { ...error, reason: isCause ? 'request' : error.reason, message: error.message + told },
    }),
  }
}

function withFailure(message: string, failure: RequestFailure): AgentFailure {
  const { reason, retryAfterMs } = failure
  return {
    reason,
    message: withWords(message, failure),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  }
}

/** Adds the server's words to a message that does not have them. */
function withWords(message: string, failure: RequestFailure | undefined): string {
  const own = wordsOf(message).message
  const { status, words = '' } = failure ?? {}
  const told = [status, words].filter(Boolean)
  const isKnown = words === '' ? own.includes(String(status)) : own.includes(words)
  return told.length === 0 || isKnown ? own : `${own} (the server answered ${told.join(': ')})`
}

function reasonOfFinish(finish: Metered['finish']): AgentErrorReason {
  if (finish === 'refusal') return 'refusal'
  return finish === 'length' ? 'empty' : 'exit'
}

/**
 * Reads what a program printed. One that bench ended, or to which a limit refused a request, printed nothing of use, and reports no usage.
 * One whose only network is the gateway and that never asked its model has failed, whatever it printed and however long it ran.
 */
export function readingOf(
  kind: CliKind,
  { ended, said, metered }: Pick<CliEnd, 'ended' | 'said' | 'metered'>,
  { request, isUnasked }: { request: AgentRequest; isUnasked: boolean },
): CliReading {
  if (metered.refused !== undefined) return failureReading('limit', metered.refused)
  if (!ended && !said)
    return failureReading('exit', 'bench ended the program, which only repeated requests that failed')
  const reading = ended?.timedOut
    ? failureReading('timeout', `no whole reply in ${request.timeoutMs} ms`)
    : withSandboxLimit(said ?? kind.read(ended as SandboxResult), ended)
  if (!isUnasked || (reading.error && ownFailures.includes(reading.error.reason))) return reading
  const told = reading.error ? `: ${reading.error.message}` : ''
  return failureReading('unasked', `the program never asked its model${told}`)
}

const ownFailures: readonly AgentErrorReason[] = ['exit', 'key', 'quota', 'not-found', 'network', 'server']

/** Adds the sandbox limit that ended a program to its error, which rarely says so itself. */
function withSandboxLimit(reading: CliReading, ended: SandboxResult | undefined): CliReading {
  const { error } = reading
  const { reason } = ended ?? {}
  if (reason === undefined || error === undefined) return reading
  return { ...reading, error: { ...error, message: `the program ${reason}: ${error.message}` } }
}
