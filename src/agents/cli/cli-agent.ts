import { versionOf } from '../../sandbox/tools/tools.ts'
import type { ModelSetting } from '../../schema/agent/agent-settings.ts'
import type { Problem } from '../../text/errors.ts'
import { estimateTokens } from '../../text/token-estimate.ts'
import type { Agent, AgentReply, AgentRequest } from '../agent.ts'
import { conversationOf } from '../conversation.ts'
import type { Metered } from '../gateway/meter.ts'
import type { PriceReply, RequestsBill } from '../gateway/request-bill.ts'
import { messageCleaner, publicAddress } from '../http/address.ts'
import { nothingSent } from '../http/ask-once.ts'
import { accountOf, type EndpointSettings, endpointOf } from '../http/endpoint.ts'
import { type CallBill, loadPriceBook } from '../price-book.ts'
import type { AgentEnvironment } from '../provider.ts'
import { billerAt } from '../vendor.ts'
import { type AgentSessionUse, createAgentSessions } from './agent-sessions.ts'
import { callCli, missingProgram } from './call.ts'
import { barrierOf, stageParts, toolServer } from './direct.ts'
import { endedReply, explainError, readingOf, withRefusals } from './explain-error.ts'
import type { CliKind, CliReading } from './kind.ts'

type CliEnvironment = Pick<AgentEnvironment, 'sandbox' | 'prices' | 'providerTools'> & {
  /** Its name in records; default: that of the provider, and of the model. */
  name?: string
  /** Id of the run, which makes the prompts of equal trials of two runs differ. */
  run: string
  settings?: EndpointSettings | undefined
  /** How much its model is to reason. */
  reasoning?: ModelSetting['reasoning'] | undefined
}

/**
 * Creates an agent that is a program. It is called once per attempt, in the sandbox, in the trial's folder, with the branch's
 * HOME. Its only network is a gateway that leads to its provider and holds the key.
 */
export function createCliAgent(
  kind: CliKind,
  model: string,
  { run, sandbox, settings, prices, reasoning, providerTools, ...given }: CliEnvironment,
): Agent {
  const name = given.name ?? (model === '' ? kind.name : `${kind.name}:${model}`)
  const endpoint = endpointOf(kind, settings)
  const { baseUrl, key, keyVariable } = endpoint
  const clean = messageCleaner(keyVariable, key)
  const address = baseUrl && publicAddress(baseUrl)
  const priced = { agent: name, model, billedBy: billerAt(kind, address), endpoint: address }
  // A vendor's program computes its cost by the vendor's list prices, which do not apply to another server.
  const ownCost = kind.billedBy === priced.billedBy
  const { limits = {} } = settings ?? {}
  const sessions = createAgentSessions()
  const problems = [...endpoint.problems, ...missingProgram(kind)]

  return {
    name,
    paid: true,
    simulated: false,
    isProgram: true,
    tools: 'own',
    ...(address && { endpoint: address }),
    // Without an address, each program has an account of its own.
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
      if (problem) return problemReply(problem)
      const tooLong = overflow(kind, request, run)
      if (tooLong) return tooLong
      const { workspace } = request
      const home = workspace.home()
      const use = sessions.find(home, request)
      const started = performance.now()
      const opened = await sandbox.open()
      const call = {
        ...{ model, session: use.native, contained: opened.adapter !== 'none' },
        ...(reasoning !== undefined && { reasoning }),
        ...(providerTools && { providerTools }),
        ...(request.stage && { server: toolServer(request.stage) }),
      }
      const barred = request.stage && barrierOf(kind, call.contained)
      if (barred) return problemReply(barred)
      const book = await loadPriceBook(prices)
      const price: PriceReply = (tokens, answered) => book.bill({ ...priced, answered }, tokens)
      const end = await callCli(kind, {
        sandbox: opened,
        baseUrl,
        key,
        call,
        workspace: await workspace.folder(),
        home,
        prompt: promptOf(request, run, use),
        retold: promptOf(request, run, {}),
        timeoutMs: request.timeoutMs,
        signal,
        limits: request.limits,
        price,
        stage: request.stage && stageParts(request.stage),
      })
      const { ended, metered, refusals } = end
      const durationMs = Math.max(
        Math.round(performance.now() - started - (request.stage?.waitedMs() ?? 0)),
        ended?.timedOut ? (request.timeoutMs ?? 0) : 0,
      )
      const isUnasked = baseUrl !== undefined && call.contained && metered.requests === 0
      const reading = readingOf(kind, end, { request, isUnasked })
      const reported = sessions.record(home, request, reading)
      // The provider's counts include requests that the program hides, repeats, or loses when it is killed.
      const tokens = isUnasked ? nothingSent.tokens : (metered.tokens ?? reported.tokens)
      const isFree = isUnasked || metered.isRefused
      const bill = metered.tokens ? costOfBill(metered.bill) : price(tokens)
      const own = { ...reported, tokens, isFree }
      const reply = replyOf(reading, own, { ...bill, durationMs }, { use, clean, metered, ownCost })
      return {
        ...withRefusals(reply, refusals),
        sandbox: opened.level,
        ...(baseUrl !== undefined && { requests: metered.requests }),
      }
    },
  }
}

const costOfBill = ({ costUsd, listCostUsd, costSource }: RequestsBill): CallBill => ({
  costUsd,
  ...(listCostUsd !== undefined && { listCostUsd }),
  ...(costSource && { costSource }),
})

function replyOf(
  { text, usage, model, error, retold, finish: told }: CliReading,
  own: Pick<CliReading, 'tokens' | 'costUsd'> & { isFree: boolean },
  bill: Pick<AgentReply, 'costUsd' | 'listCostUsd' | 'costSource' | 'durationMs'>,
  {
    use,
    clean,
    metered,
    ownCost,
  }: {
    use: AgentSessionUse
    clean(message: string): string
    metered: Metered
    /** The program's own cost may stand in for an unknown one. */
    ownCost: boolean
  },
): AgentReply {
  const explained = error ? explainError(error, metered) : endedReply(metered)
  const { models, model: answered = model, estimated } = metered.bill
  const finish = told ?? metered.finish
  const cost = own.isFree ? { costUsd: 0, durationMs: bill.durationMs } : costOf(own, bill, ownCost)
  const isCounted = own.tokens.input !== null && own.tokens.output !== null && cost.costUsd !== null
  return {
    text: clean(text),
    tokens: own.tokens,
    ...cost,
    ...(usage && !own.isFree && { usage }),
    ...(models ? { models } : answered && { model: answered }),
    ...(estimated && !isCounted && { estimated }),
    ...(finish && { finish }),
    ...(use.continued && { continued: retold ? 'retold' : use.continued }),
    ...(explained && { error: { ...explained, message: clean(explained.message) } }),
  }
}

function costOf(
  { tokens, costUsd }: Pick<CliReading, 'tokens' | 'costUsd'>,
  bill: Pick<AgentReply, 'costUsd' | 'listCostUsd' | 'costSource' | 'durationMs'>,
  mayStandIn: boolean,
) {
  if (costUsd === null) return bill
  const isUsed = mayStandIn && bill.costUsd === null && tokens.input !== null
  return { ...bill, ...(isUsed && { costUsd, costSource: 'provider' as const }), reportedCostUsd: costUsd }
}

function problemReply({ what, fix = '' }: Problem): AgentReply {
  const message = `${what}. ${fix}`
  return { text: '', ...nothingSent, durationMs: 0, error: { reason: 'key', message } }
}

/** Returns the error of a prompt that exceeds the window. Such a prompt is not sent and costs nothing. */
function overflow({ window }: CliKind, request: AgentRequest, run: string): AgentReply | undefined {
  if (window === undefined) return undefined
  const size = estimateTokens(promptOf(request, run, {}))
  if (size <= window) return undefined
  const message = `about ${size} tokens are more than its window of ${window}`
  const error = { reason: 'context-overflow' as const, message }
  return { text: '', ...nothingSent, durationMs: 0, error }
}

/**
 * Returns a program's standard input. A resumed session gets only the new prompt; any other call gets the system prompt, the
 * earlier turns and the prompt. Characters that programs cannot read are replaced.
 */
function promptOf(request: AgentRequest, run: string, { continued }: AgentSessionUse): string {
  if (continued === 'resumed') return replaceUnreadable(request.prompt)
  const messages = conversationOf(request, run)
  const titled = messages.map(({ role, text }, i) => {
    if (role === 'system') return text
    // Without words of its own the request would read as the end of the last answer.
    if (i === messages.length - 1) return request.turns?.length ? `You are asked now:\n${text}` : text
    return role === 'user' ? `You were asked before:\n${text}` : `You answered:\n${text}`
  })
  return replaceUnreadable(titled.join('\n\n'))
}

/** Replaces NUL, which ends a text for some programs, and lone surrogates by visible characters. */
function replaceUnreadable(text: string): string {
  return text.replaceAll('\0', '\u2400').replace(/\p{Surrogate}/gu, '\ufffd')
}
