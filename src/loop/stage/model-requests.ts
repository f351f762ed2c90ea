import type { Agent, AgentReply, RequestUse } from '../../agents/agent.ts'
import type { RelayedRequest } from '../../agents/gateway/relay.ts'
import { dataCleaner } from '../../replies/clean-data.ts'
import type { AskStep } from '../../schema/ledger/step.ts'
import { digest } from '../../text/canonical-json.ts'
import { AgentError, type AgentErrorReason, LimitError } from '../../text/errors.ts'
import { shorten } from '../../text/shorten.ts'
import { requestHash } from '../ask/prompt.ts'
import { sendWithinLimits } from '../ask/send.ts'
import { nextKey } from '../branch/branch.ts'
import { takeBranchStep, voidSteps } from '../branch/recorded-steps.ts'
import { enforceTrialLimits, reportAlerts, reportManyCalls, usedOf } from '../branch/trial-limits.ts'
import type { Branch } from '../branch/trial-state.ts'
import { closeRequest, createBell, hasRoomFor, newRequestScope, openRequest } from '../budget/scopes.ts'
import { addCall } from '../budget/spending.ts'
import { stepName } from '../journal/ledger-index.ts'
import type { StageCall } from './program.ts'

/** The requests of a program to models, each an ask in the branch of its stage. */
export interface ModelRequests {
  /** Asks for a request. Rejects with what the program is told if it may not go out. */
  ask(request: RelayedRequest, send: (signal: AbortSignal) => Promise<AgentReply>): Promise<void>
  /** Waits for the requests in work. After that no other begins. */
  close(): Promise<void>
  /** The number of requests that had a key. */
  count(): number
  /** For how long nothing was in flight while a request waited for its turn; ms. */
  waitedMs(): number
}

/** What a refusal by a limit is compared by: nothing in it depends on the request, since the program does not run in a replay. */
const refusalHash = digest({ refused: 'request' })

/**
 * Opens the requests of one start of a program. They get their keys in the order in which they may go out. A limit of the trial sees what
 * is in flight: a request waits until it fits beside that, or until nothing is.
 */
export function openModelRequests(branch: Branch, stop: (error: Error) => void): ModelRequests {
  const { trialState } = branch
  const { limits } = trialState.plan.trial.cell
  const began = performance.now()
  const billBefore = { ...branch.bill }
  const pending = new Set<Promise<void>>()
  const scope = newRequestScope(limits, usedOf(branch))
  const steps: AskStep[] = []
  const bell = createBell()
  const clock = createWaitClock()
  let turn: Promise<unknown> = Promise.resolve()
  let isClosed = false
  let count = 0

  const isFull = (expected: RequestUse) => {
    scope.spent = usedOf(branch)
    const { requests } = scope.open
    const isLast = requests > 0 && scope.spent.calls + requests >= (limits.calls ?? Number.POSITIVE_INFINITY)
    return isLast || !hasRoomFor(scope, expected, true)
  }
  /** Returns the key of a request; undefined if the program no longer waits for it. */
  const admit = async ({ expected, gone }: RelayedRequest) => {
    while (!isClosed && isFull(expected)) await bell.whenEnded()
    if (isClosed || gone.aborted) return undefined
    if (branch.refused) throw branch.refused.error
    const key = nextKey(branch, 'a request to a model')
    enforceTrialLimits(branch, 'ask', key, 1, refusalHash)
    count++
    openRequest(scope, expected, true)
    return key
  }
  const perform = async (request: RelayedRequest, send: (signal: AbortSignal) => Promise<AgentReply>) => {
    const admitted = turn.then(() => admit(request))
    turn = admitted.catch(() => {})
    const key = await admitted
    if (key === undefined) return
    try {
      const call = attemptOf(branch, key, request, (signal) => {
        clock.add(0, 1)
        return send(signal).finally(() => clock.add(0, -1))
      })
      // Its own start is the time of the branch's clock that its step names; the branch's moves when the program has ended.
      const at = branch.clock + performance.now() - began - clock.waitedMs()
      const { step } = await sendWithinLimits({ ...branch, clock: Math.round(at) }, call)
      steps.push(step)
      addCall(branch.bill, step)
    } catch (error) {
      stop(error as Error)
      throw error
    } finally {
      // Its use is in the bill of the branch.
      closeRequest(scope, request.expected, { tokens: 0, costUsd: 0 })
      bell.ring()
    }
  }
  return {
    waitedMs: clock.waitedMs,
    count: () => count,
    async ask(request, send) {
      if (isClosed) throw new Error('the program has ended')
      clock.add(1, 0)
      const work = perform(request, send).finally(() => clock.add(-1, 0))
      const ended = work.catch(() => {})
      pending.add(ended)
      await work.finally(() => pending.delete(ended))
    },
    async close() {
      isClosed = true
      bell.ring()
      await Promise.all(pending)
      if (steps.length === 0) return
      // In the order of their keys, as a replay takes them.
      Object.assign(branch.bill, billBefore)
      for (const step of steps.splice(0).sort((a, b) => placeOf(a) - placeOf(b))) take(branch, step)
    },
  }
}

/** Takes the requests of a journaled stage from the journal. A stage that was cut off may lack some: their results were lost. */
export function repeatModelRequests(branch: Branch, count: number, isCut: boolean): void {
  const { recorded } = branch.trialState.journal
  for (let number = 0; number < count; number++) {
    const key = nextKey(branch, 'a request to a model')
    const { hash } = recorded?.steps.get(stepName(key, 1)) ?? {}
    if (hash === undefined && isCut) continue
    const step = takeBranchStep(branch, key, 1, hash ?? '', () => 'a request to a model')
    if (step?.kind === 'ask') take(branch, step)
  }
  const next = `${branch.path}#${branch.counter}`
  if (recorded?.steps.get(stepName(next, 1))?.kind !== 'limit') return
  try {
    enforceTrialLimits(branch, 'ask', nextKey(branch, 'a request to a model'), 1, refusalHash)
  } catch (error) {
    // The program was told, and ended by itself: what it left is taken.
    if (!(error instanceof LimitError)) throw error
  }
}

/** Voids what an earlier start of the program has asked: it starts anew, and asks all again. */
export function voidEarlier(branch: Branch, { key, hash, facts }: StageCall): void {
  const { journal, plan } = branch.trialState
  const own = `${branch.path}#`
  const earlier = [...(journal.recorded?.steps.keys() ?? [])].filter((name) => name.startsWith(own))
  const asked = Array.from({ length: branch.counter }, (_, number) => `${own}${number}/1`)
  const names = [...new Set([...earlier, ...asked])]
  if (names.length === 0) return
  const what = `the program of stage "${facts.stage}" was interrupted and starts anew`
  voidSteps(branch.trialState, { key, attempt: 1, hash }, names, what)
  journal.begunAnew.push(`trial ${plan.trial.id}: ${what}, so what it had asked is void`)
  journal.asked = journal.asked.filter((one) => one.branch !== branch.path)
  branch.counter = 0
}

/** Characters of a request that the ledger keeps: people read it, and no replay does. Its hash is that of the whole. */
const longestKept = 1024 ** 2

const placeOf = ({ key }: AskStep) => Number(key.slice(key.lastIndexOf('#') + 1))

function take(branch: Branch, step: AskStep): void {
  const { trialState, path, openedAt, stage } = branch
  const { role, agent, error, reply = '' } = step
  addCall(branch.bill, step)
  reportAlerts(branch)
  trialState.bill.paid = true
  trialState.journal.asked.push({ step, branch: path, openedAt, stageAt: stage?.at, text: reply })
  reportManyCalls(trialState)
  if (!stage) return
  // The last one tells: a program goes on after failures that it can bear.
  if (error)
    stage.failedAsk = new AgentError(
      error.reason as AgentErrorReason,
      `[agent ${agent}] ${error.message} (as "${role}")`,
    )
  else delete stage.failedAsk
}

function attemptOf(
  branch: Branch,
  key: string,
  { role, body }: RelayedRequest,
  send: (signal: AbortSignal) => Promise<AgentReply>,
) {
  const { run, plan } = branch.trialState
  const own = plan.agents[role] as Agent
  const prompt = dataCleaner(run.redact)(shorten(body, longestKept))
  return {
    agent: { ...own, ask: (_: unknown, signal: AbortSignal) => send(signal) },
    ...{ key, attempt: 1, role, work: plan.roles[role] ?? 'produce', prompt },
    hash: requestHash(own.name, role, body, undefined),
    ...{ repair: false, retries: 0, waitMs: 0 },
    ...{ format: undefined, options: undefined, usedBefore: undefined },
    isRequest: true as const,
  }
}

/** Measures the time in which requests wait for their turn and none is in flight; ms. */
function createWaitClock() {
  let [asked, flying, since, total] = [0, 0, performance.now(), 0]
  const waitedMs = () => total + (asked > 0 && flying === 0 ? performance.now() - since : 0)
  /** Changes how many requests there are, and how many of them are in flight. */
  const add = (ofAsked: number, ofFlying: number) => {
    total = waitedMs()
    since = performance.now()
    asked += ofAsked
    flying += ofFlying
  }
  return { waitedMs, add }
}
