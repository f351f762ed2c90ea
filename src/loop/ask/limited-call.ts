import { setTimeout as wait } from 'node:timers/promises'
import type { Account, CallLimits } from '../../agents/agent.ts'
import type { StoppedBy } from '../../schema/ledger/program-use.ts'
import type { AskStep } from '../../schema/ledger/step.ts'
import { estimateTokens } from '../../text/token-estimate.ts'
import { Interrupted, stopTrial } from '../branch/recorded-steps.ts'
import { usedOf, usedSince } from '../branch/trial-limits.ts'
import type { Branch, TrialState } from '../branch/trial-state.ts'
import { maxRetryAfterMs } from '../budget/failures.ts'
import { isUnlimited } from '../budget/limits.ts'
import type { CallEnd, RateLimiter } from '../budget/rate-limiter.ts'
import type { RunBudget } from '../budget/run-budget.ts'
import {
  closeRequest,
  createBell,
  hasRoomFor,
  limitOfRequest,
  newRequestScope,
  openRequest,
  type RequestScope,
  type Scope,
} from '../budget/scopes.ts'
import { roundedSum } from '../budget/spending.ts'
import { type Attempt, turnsBefore } from './agent-request.ts'
import type { Seat } from './hands.ts'

/** The limits that hold inside one call, what its requests have used, and the limit that refused one. */
export interface LimitedCall extends CallLimits {
  added: { tokens: number; costUsd: number }
  stoppedBy?: StoppedBy
}

/** A scope with its name. Those of the run are shared by calls, and count this call already. */
interface NamedScope {
  name: StoppedBy['scope']
  scope: RequestScope
  shared?: Scope
}

/**
 * Opens the limits of the ask, of its trial, of its method and of the run for the requests of a call; undefined if nothing is limited.
 * Like each limit of a trial, they see the bill of the branch alone; those of the method and of the run see all calls in flight.
 */
export function limitCall(branch: Branch, call: Attempt): LimitedCall | undefined {
  const scopes = scopesOf(branch, call)
  if (scopes.every(({ scope }) => isUnlimited(scope.limits))) return undefined
  const { runBudget } = branch.trialState.run
  const { label } = branch.trialState.plan.trial.cell.method
  const bell = runBudget ?? createBell()
  let requests = 0
  const isFirst = (scope: NamedScope) => scope.shared !== undefined && requests === 0
  const findLimit = (): StoppedBy | undefined => {
    for (const one of scopes) {
      const reached = limitOfRequest(one.scope, isFirst(one))
      if (!reached) continue
      if (one.shared) one.shared.stopped = true
      return { scope: one.name, ...reached }
    }
    return undefined
  }
  // Those whom a program directs spend in its branch while it works.
  const addOthers = () => {
    const { calls, tokens, costUsd, ...used } = usedOf(branch)
    const { added } = limits
    for (const { name, scope } of scopes)
      if (name === 'trial')
        scope.spent = {
          ...used,
          ...{ calls: calls + requests, tokens: tokens + added.tokens },
          costUsd: roundedSum(costUsd + added.costUsd),
        }
  }
  const limits: LimitedCall = {
    added: { tokens: 0, costUsd: 0 },
    async begin(expected, signal) {
      const aborted = new Promise<void>((resolve) => {
        signal.addEventListener('abort', () => resolve(), { once: true })
      })
      const isFull = () => scopes.some((one) => !hasRoomFor(one.scope, expected, isFirst(one)))
      const findStop = () => {
        if (call.hands) addOthers()
        limits.stoppedBy ??= findLimit()
        return limits.stoppedBy
      }
      while (!signal.aborted && !findStop() && isFull())
        await Promise.race([bell.whenEnded(label, expected), aborted])
      if (signal.aborted) return 'gone'
      const stop = findStop()
      if (stop) return { refused: `${stop.reason} (${stop.limit}, a limit of the ${stop.scope})` }
      for (const one of scopes) openRequest(one.scope, expected, isFirst(one))
      requests++
      return 'begun'
    },
    end(expected, used) {
      for (const { scope, shared } of scopes) if (!shared) closeRequest(scope, expected, used)
      limits.added.tokens += used.tokens
      limits.added.costUsd = roundedSum(limits.added.costUsd + (used.costUsd ?? 0))
      if (runBudget) runBudget.endRequest(label, expected, used)
      else bell.ring()
    },
  }
  return limits
}

function scopesOf(branch: Branch, call: Attempt): NamedScope[] {
  const { run, plan } = branch.trialState
  const { limits, method } = plan.trial.cell
  const shared = run.runBudget?.requestScopes(method.label) ?? []
  return [
    { name: 'ask', scope: newRequestScope(call.options?.limits ?? {}, usedSince(branch, call)) },
    { name: 'trial', scope: newRequestScope(limits, usedOf(branch)) },
    ...shared.map((scope) => ({ name: scope.name.scope, scope, shared: scope })),
  ]
}

/** Whether a limit of the method or of the run ended a call. It changes no record: the ask is made again once they allow it. */
const isStoppedByRun = (stoppedBy: StoppedBy | undefined) =>
  stoppedBy?.scope === 'run' || stoppedBy?.scope === 'method'

/** Returns what a step says of the limit that ended its call. The trial does not pay for a call that is made again. */
export const stopFields = (stoppedBy: StoppedBy | undefined) =>
  stoppedBy && { stoppedBy, ...(isStoppedByRun(stoppedBy) && { payer: 'void' as const }) }

/**
 * Makes a call within the limits of the run and the method. When they forbid it, or a further request inside of it, the trial is
 * interrupted, and continues in a session that may spend more.
 */
export async function callWithinBudget<Answer extends { step: AskStep }>(
  runBudget: RunBudget,
  trialState: TrialState,
  ask: (seat: Seat) => Promise<Answer>,
  limits?: LimitedCall,
): Promise<Answer> {
  const { label } = trialState.plan.trial.cell.method
  if (!(await runBudget.reserveCall(label, trialState.run.signal))) stopTrial(trialState)
  let isAside = false
  const setAside = (now: boolean) => {
    if (now !== isAside) runBudget.setAside(label, now)
    isAside = now
  }
  const answer = await endWith(
    () => ask({ leave: () => setAside(true), take: async () => setAside(false) }),
    (step) => {
      setAside(false)
      runBudget.endCall(label, step, limits?.added)
    },
  )
  return isStoppedByRun(answer.step.stoppedBy) ? stopTrial(trialState) : answer
}

/** Makes a call when its account's rate allows it. `tokens` is the call's estimated use; `ask` gets the time waited, in ms. */
export async function callWithinRate<Answer extends { step: AskStep }>(
  rateLimiter: RateLimiter,
  account: Account,
  trialState: TrialState,
  tokens: number,
  signal: AbortSignal,
  ask: (waitedMs: number, seat: Seat) => Promise<Answer>,
): Promise<Answer> {
  const acquire = async () => {
    const slot = await rateLimiter.acquire(account, trialState.plan.trial.cell.method.label, tokens, signal)
    if (!slot) throw new Interrupted()
    return slot
  }
  const first = await acquire()
  let slot: typeof first | undefined = first
  const seat: Seat = {
    leave() {
      slot?.end({ tokens: 0 })
      slot = undefined
    },
    async take() {
      slot ??= await acquire()
    },
  }
  return endWith(
    () => ask(first.waitedMs, seat),
    (step) => slot?.end(step ? endOf(step) : {}),
  )
}

/** Makes a call and ends it with its step; undefined: it was cut off. */
async function endWith<Answer extends { step: AskStep }>(
  ask: () => Promise<Answer>,
  end: (step: AskStep | undefined) => void,
): Promise<Answer> {
  let answer: Answer | undefined
  try {
    answer = await ask()
    return answer
  } finally {
    end(answer?.step)
  }
}

/** Whether a server that failed had too much to do, so that fewer calls at once may help. */
const isOverload = (message: string) => /^(?:503|529)\b|overloaded/i.test(message)

function endOf({ tokens: { input, output }, error }: AskStep): CallEnd {
  const retryAfterMs = error?.retryAfterMs ?? 0
  return {
    tokens: input === null || output === null ? undefined : input + output,
    refused: error?.reason === 'quota' || (error?.reason === 'server' && isOverload(error.message)),
    // A longer wait means that the quota is used up: each call then finds out for itself and ends in error.
    ...(retryAfterMs <= maxRetryAfterMs && { retryAfterMs }),
  }
}

/** Estimates the tokens of an attempt: its input, plus `maxOutput` if the ask sets it. */
export function estimateCallTokens(branch: Branch, call: Attempt): number {
  const { prompt, options } = call
  const turns = turnsBefore(branch, call).flatMap(({ prompt, reply }) => [prompt, reply])
  const texts = [prompt, options?.system ?? '', ...turns, ...toolTexts(call)]
  return texts.reduce((sum, text) => sum + estimateTokens(text), options?.maxOutput ?? 0)
}

function toolTexts({ turn }: Attempt): string[] {
  if (!turn) return []
  const { definitions, turns } = turn.tools
  return [
    JSON.stringify(definitions),
    ...turns.flatMap(({ text, calls, results }) => [
      text,
      ...calls.map((call) => call.arguments),
      ...results.map((result) => result.text),
    ]),
  ]
}

/** Waits in real time. Throws `Interrupted` when aborted. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await wait(ms, undefined, { signal }).catch(() => {
    throw new Interrupted()
  })
}
