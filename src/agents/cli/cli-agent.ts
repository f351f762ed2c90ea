import type { LazySandbox } from '../../sandbox/open-sandbox.ts'
import type { SandboxResult } from '../../sandbox/sandbox.ts'
import { onPath } from '../../sandbox/tools/on-path.ts'
import { versionOf } from '../../sandbox/tools/tools.ts'
import type { PriceFile } from '../../schema/agent/prices.ts'
import type { Problem } from '../../text/errors.ts'
import { estimateTokens } from '../../text/token-estimate.ts'
import type { Agent, AgentReply, AgentRequest } from '../agent.ts'
import { publicAddress } from '../http/address.ts'
import { accountOf, type EndpointSettings, endpointOf } from '../http/endpoint.ts'
import { messageCleaner } from '../http/safe-message.ts'
import { loadPriceBook } from '../prices/price-book.ts'
import { createAgentSessions, type SessionUse } from './agent-sessions.ts'
import { callCli } from './call.ts'
import type { Fault } from './gateway/meter.ts'
import type { CliKind } from './kinds/kind.ts'
import { promptOf } from './prompt.ts'
import { type CliReading, unreportedTokens } from './reading.ts'

/** What CLI agents lean on. */
interface CliEnvironment {
  /** Id of the run: prompts of equal trials of two runs begin differently. */
  run: string
  sandbox: LazySandbox
  settings?: EndpointSettings | undefined
  prices?: PriceFile | undefined
}

/**
 * An agent that is a program of its own: called once for each attempt, in the trial's folder, with a HOME of the branch's,
 * in the sandbox. Its way out is a gateway that knows its provider's address alone, and holds the key for it.
 */
export function createCliAgent(
  kind: CliKind,
  model: string,
  { run, sandbox, settings, prices }: CliEnvironment,
): Agent {
  const name = model === '' ? kind.name : `${kind.name}:${model}`
  const endpoint = endpointOf(kind, settings)
  const { baseUrl, key, keyVariable } = endpoint
  const clean = messageCleaner(keyVariable, key)
  const address = baseUrl && publicAddress(baseUrl)
  const priced = { agent: name, model, billedBy: kind.billedBy, endpoint: address }
  const { limits = {} } = settings ?? {}
  const sessions = createAgentSessions()
  const problems = [...endpoint.problems, ...missingProgram(kind)]

  return {
    name,
    paid: true,
    simulated: false,
    isProgram: true,
    ...(address && { endpoint: address }),
    // Where no address is known, each program counts for itself.
    account: address
      ? accountOf(kind, endpoint, settings)
      : { name: `${kind.name} (${kind.program})`, limits },
    missing: async () => problems,
    version: () => versionOf(kind.program),
    async prepare() {
      await loadPriceBook(prices)
    },
    async ask(request, signal) {
      signal.throwIfAborted()
      const [problem] = problems
      if (problem) return unasked(problem)
      const tooLong = overflow(kind, request, run)
      if (tooLong) return tooLong
      const { workspace } = request
      const home = workspace.home()
      const use = sessions.of(home, request)
      const started = performance.now()
      const opened = await sandbox.open()
      const call = { model, session: use.native, contained: opened.adapter !== 'none' }
      const { ended, metered } = await callCli(kind, {
        sandbox: opened,
        baseUrl,
        key,
        call,
        workspace: await workspace.folder(),
        home,
        prompt: promptOf(request, run, use),
        timeoutMs: request.timeoutMs,
        signal,
      })
      const durationMs = Math.round(performance.now() - started)
      const reading = ended.timedOut ? timedOut(request) : limited(kind.read(ended), ended)
      const told = sessions.take(home, request, reading)
      // What the provider itself counted holds also what a program hides, makes again, or loses when it is killed.
      const own = { ...told, tokens: metered.tokens ?? told.tokens }
      const book = await loadPriceBook(prices)
      const bill = { ...book.bill(priced, own.tokens), durationMs }
      return { ...replyOf(reading, own, bill, { use, clean, fault: metered.fault }), sandbox: ended.level }
    },
  }
}

function replyOf(
  reading: CliReading,
  own: Pick<CliReading, 'tokens' | 'costUsd'>,
  bill: Pick<AgentReply, 'costUsd' | 'listCostUsd' | 'costSource' | 'durationMs'>,
  { use, clean, fault }: { use: SessionUse; clean(message: string): string; fault: Fault | undefined },
): AgentReply {
  const { text, usage, model, error } = reading
  // The program's own sum stands beside ours, and in for it where the price is not known to us.
  const ownSum = bill.costUsd === null &&
    own.tokens.input !== null &&
    own.costUsd !== null && { costUsd: own.costUsd, costSource: 'provider' as const }
  return {
    text: clean(text),
    tokens: own.tokens,
    ...bill,
    ...ownSum,
    ...(own.costUsd !== null && { reportedCostUsd: own.costUsd }),
    ...(usage && { usage }),
    ...(model && { model }),
    ...(use.continued && { continued: use.continued }),
    ...(error && { error: { ...causeWith(error, fault), message: clean(error.message) } }),
  }
}

/** What the connection shows is surer than a program's words, unless these say more than a status can. */
function causeWith(
  { reason, message }: NonNullable<CliReading['error']>,
  fault: Fault | undefined,
): NonNullable<AgentReply['error']> {
  const wordsSayMore = ['context-overflow', 'refusal', 'timeout'].includes(reason)
  if (!fault || wordsSayMore || !(fault.certain || reason === 'exit')) return { reason, message }
  const { retryAfterMs } = fault
  return { reason: fault.reason, message, ...(retryAfterMs !== undefined && { retryAfterMs }) }
}

function missingProgram({ name, program, install }: CliKind): Problem[] {
  if (onPath(program)) return []
  const fix = install === undefined ? 'Put it on the PATH, or correct its command.' : `Run: ${install}`
  return [{ where: `provider ${name}`, what: `the program ${program} is not here`, fix }]
}

const unreported = { tokens: unreportedTokens, costUsd: null }

function unasked({ what, fix = '' }: Problem): AgentReply {
  const message = `${what}. ${fix}`
  return { text: '', ...unreported, durationMs: 0, error: { reason: 'key', message } }
}

/** What does not fit is not sent, and so costs nothing. */
function overflow({ window }: CliKind, request: AgentRequest, run: string): AgentReply | undefined {
  if (window === undefined) return undefined
  const size = estimateTokens(promptOf(request, run, {}))
  if (size <= window) return undefined
  const message = `about ${size} tokens are more than its window of ${window}`
  const error = { reason: 'context-overflow' as const, message }
  return { text: '', tokens: { input: 0, output: 0, cached: 0 }, costUsd: 0, durationMs: 0, error }
}

/** A program that a limit of its sandbox ended says so itself at best by chance. */
function limited(reading: CliReading, { reason }: SandboxResult): CliReading {
  const { error } = reading
  if (reason === undefined || error === undefined) return reading
  return { ...reading, error: { ...error, message: `the program ${reason}: ${error.message}` } }
}

/** Whatever it had spent, a program that is killed does not tell it. */
function timedOut({ timeoutMs }: AgentRequest): CliReading {
  const error = { reason: 'timeout' as const, message: `no whole reply in ${timeoutMs} ms` }
  return { text: '', ...unreported, cumulative: { tokens: false, cost: false }, error }
}
