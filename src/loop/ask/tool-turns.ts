import { hasState } from '../../agent-tools/definitions.ts'
import type { ToolTurn } from '../../agents/agent.ts'
import type { Step } from '../../schema/ledger/step.ts'
import { comparePlaces, effectKey, turnKey } from '../../schema/ledger/turn-key.ts'
import { isMade } from '../../schema/tool/tool-call.ts'
import { voidSteps } from '../branch/recorded-steps.ts'
import type { Branch } from '../branch/trial-state.ts'
import { forkState } from '../branch/workspace.ts'
import { retryDelay } from '../budget/failures.ts'
import { stepName } from '../journal/ledger-index.ts'
import type { Attempt } from './agent-request.ts'
import { type AnsweredAttempt, askWithRetries } from './attempt.ts'
import { turnHash } from './prompt.ts'
import { openCalls } from './tool-calls.ts'
import { type AskTools, mostRepeatedTurns } from './tools.ts'

/**
 * Asks an agent that may call tools before it answers: one turn after the other, each with the results of the calls so far. Calls
 * change a draft of the branch's files, which the branch gets with the answer.
 */
export async function askInTurns(branch: Branch, first: Attempt, tools: AskTools): Promise<AnsweredAttempt> {
  voidLostServers(branch, first.key, tools)
  const draft = forkState(branch.state)
  const calls = openCalls(branch, first, tools, draft)
  const turns: ToolTurn[] = []
  let repeated = 0
  try {
    for (let number = 1; ; number++) {
      const request = {
        definitions: tools.definitions,
        turns: [...turns],
        mustAnswer: number >= tools.turns || repeated >= mostRepeatedTurns,
      }
      const key = turnKey(first.key, number)
      const turn = { ask: first.key, number, draft, tools: request }
      const hash = turnHash(first.hash, request)
      const answered = await askWithRetries(branch, { ...first, key, hash, turn })
      const { toolCalls, message } = answered.step
      if (!toolCalls) return answered
      const { answers, areRepeated } = await calls.make(key, toolCalls)
      repeated = areRepeated ? repeated + 1 : 0
      turns.push({ text: answered.text, calls: toolCalls, results: answers, message })
    }
  } finally {
    await calls.close()
  }
}

/**
 * On resume: where an ask was cut off after calls of an MCP server with a state, that state is lost with the server's process. All
 * steps of the ask from the first such call on are void, so that they are made anew.
 */
function voidLostServers({ lost, trialState }: Branch, ask: string, { byName }: AskTools): void {
  const { run, plan } = trialState
  const { recorded } = trialState.journal
  if (!recorded || !run.journal || lost) return
  const withState = new Set([...byName.values()].flatMap(({ id, tool }) => (hasState(tool) ? [id] : [])))
  if (withState.size === 0) return
  const own = [...recorded.steps.values()]
    .filter(({ key }) => effectKey(key) === ask)
    .sort((a, b) => comparePlaces(a.key, b.key) || a.attempt - b.attempt)
  const first = own.find((step) => isCallOf(withState, step))
  if (!first || hasEnded(own, plan.trial.cell.retries ?? 0)) return
  const lostSteps = own.filter(({ key }) => comparePlaces(key, first.key) >= 0)
  const id = first.kind === 'tool' ? first.tool : undefined
  const steps = lostSteps.length === 1 ? 'this step is' : `${lostSteps.length} steps are`
  const reason = `trial ${plan.trial.id}: the MCP server "${id}" lost its state when the last session ended, so ask ${ask} goes on before its first call of it (${first.key}): ${steps} made again, and what was paid for them stays in the bill as void`
  trialState.journal.begunAnew.push(reason)
  voidSteps(
    trialState,
    first,
    lostSteps.map(({ key, attempt }) => stepName(key, attempt)),
    reason,
  )
}

const isCallOf = (tools: ReadonlySet<string>, step: Step) =>
  step.kind === 'tool' && step.tool !== undefined && tools.has(step.tool) && isMade(step.outcome)

/**
 * Whether an ask makes no more calls: it has an answer (what follows repairs it, without tools), or its last step is a failure that is
 * not retried, or a refusal.
 */
function hasEnded(steps: readonly Step[], retries: number): boolean {
  if (steps.some((step) => step.kind === 'ask' && !step.error && step.toolCalls === undefined)) return true
  const last = steps.at(-1)
  if (last?.kind === 'limit') return true
  return last?.kind === 'ask' && retryDelay(last, last.attempt - 1, retries) === undefined
}
