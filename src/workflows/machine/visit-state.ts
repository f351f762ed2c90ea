import type { MachineState } from '../../schema/machine/states.ts'
import { LimitError } from '../../text/errors.ts'
import { auditVerdicts, gateVerdicts } from './checkpoints.ts'
import { enterState, runActions } from './enter-state.ts'
import {
  addGuidance,
  currentVisit,
  type End,
  type MachineRun,
  type Outcome,
  takeGuidance,
} from './machine-run.ts'
import { type Ran, runAgents } from './run-agents.ts'
import { isGate } from './state-facts.ts'
import { type StateInput, stateInputs, type Visiting } from './state-prompt.ts'

/** Visits a state: enters it, does its work, and returns the transition that it takes, or how the machine ends. */
export async function visitState(run: MachineRun, name: string, state: MachineState): Promise<Outcome | End> {
  if (state.type === 'terminal') run.record.ended = name
  await enterState(run, name, state)
  const visit = currentVisit(run)
  try {
    return await work(run, name, state)
  } finally {
    visit.ms = run.context.now() - visit.at
  }
}

async function work(run: MachineRun, name: string, state: MachineState): Promise<Outcome | End> {
  const missing = runActions(run, name, state)
  if (missing !== undefined)
    return (
      failureOf(state) ?? {
        stopReason: 'halted',
        detail: `state ${name} needs ${missing}, which does not exist`,
      }
    )
  if (state.type === 'initial') return { result: 'next', next: state.next }
  if (state.type === 'terminal') return endIn(run, name, state)
  const { visit } = currentVisit(run)
  const guidance = takeGuidance(run, name, visit)
  const inputs = stateInputs(run, state)
  if (state.type === 'human-approval') return askPerson(run, { name, state, guidance, inputs })
  return askAgents(run, { name, state, visit, guidance, inputs })
}

function endIn(run: MachineRun, name: string, { error }: Extract<MachineState, { type: 'terminal' }>): End {
  if (!error) return { stopReason: 'done', detail: `ended in ${name}` }
  if (run.isAborted) return { stopReason: 'cancelled', detail: `a person aborted; ended in ${name}` }
  return { stopReason: 'halted', detail: `ended in ${name}, a state of failure` }
}

/** Returns the transition of a state that failed; undefined if it has none. */
function failureOf(state: MachineState): Outcome | undefined {
  if (state.type === 'fan-out') return { result: 'all_failure', next: state.transitions.all_failure }
  if (state.type !== 'single' && state.type !== 'orchestrator-task') return undefined
  const { transitions } = state
  if (!('proceed' in transitions)) return { result: 'failure', next: transitions.failure }
  return { result: 'failure', next: transitions.failure ?? transitions.halt }
}

async function askAgents(run: MachineRun, visiting: Visiting): Promise<Outcome> {
  const { name, state } = visiting
  const ran = await runAgents(run, visiting)
  currentVisit(run).runs.push(...ran.map((one) => one.run))
  run.failure ??= ran.find(({ failure }) => failure)?.failure
  const limit = ran.find(({ failure }) => failure instanceof LimitError)?.failure
  keepOutputs(run, visiting, ran, limit === undefined)
  if (limit) throw limit
  const failed = failureOf(state)
  const [first] = ran
  if (!failed || !first) throw new Error(`state ${name} asks nobody`)
  if (ran.every(({ output }) => !output)) return failed
  if (state.type === 'fan-out') return fanOutResult(state, ran)
  if (isGate(state)) return gateResult(run, visiting, first)
  return { result: 'success', next: (state.transitions as { success: string }).success }
}

function fanOutResult(
  { transitions }: Extract<MachineState, { type: 'fan-out' }>,
  ran: readonly Ran[],
): Outcome {
  if (ran.every(({ output }) => output)) return { result: 'all_success', next: transitions.all_success }
  return { result: 'partial_success', next: transitions.partial_success ?? transitions.all_success }
}

function gateResult(
  run: MachineRun,
  { name, state, visit, inputs }: Visiting,
  { run: { agent }, verdict }: Ran,
): Outcome {
  if (!verdict || !isGate(state)) throw new Error(`gate ${name} has no verdict`)
  run.record.gates.push({ state: name, visit, agent, ...verdict })
  run.verdicts.push(...gateVerdicts(name, inputs, verdict))
  const next = state.transitions[verdict.decision]
  if (verdict.decision === 'retry')
    addGuidance(run, next, 'gate', verdict.retry_guidance.trim() || issuesText(verdict))
  return { result: verdict.decision, next }
}

const issuesText = ({ issues }: NonNullable<Ran['verdict']>) =>
  issues.map(({ severity, issue, fix }) => `- ${severity}: ${issue}${fix ? ` Fix: ${fix}` : ''}`).join('\n')

/**
 * Writes what the agents of a visit gave, each a file of its own, and hides what those that failed had written before. At a limit
 * of the trial nothing can be written.
 */
function keepOutputs(
  run: MachineRun,
  { name, state, visit, inputs }: Visiting,
  ran: readonly Ran[],
  mayWrite: boolean,
) {
  const order = run.record.visits.length
  for (const { run: one, output, scores = [] } of ran) {
    const path = state.output.replaceAll('{agent}', one.agent)
    if (!output) run.outputs.drop(path)
    else run.outputs.keep({ ...output, state: name, visit, order }, mayWrite)
    for (const score of scores) run.record.scores.push({ state: name, visit, auditor: one.agent, ...score })
    const among = { auditor: one.agent, among: `${name} ${visit}` }
    run.verdicts.push(...auditVerdicts(among, inputs, scores))
  }
}

/** Shows a person the texts of a state, and takes the transition of the answer. Feedback guides the state that follows. */
async function askPerson(
  run: MachineRun,
  asked: {
    name: string
    state: Extract<MachineState, { type: 'human-approval' }>
    guidance: string
    inputs: readonly StateInput[]
  },
): Promise<Outcome> {
  const { name, state, guidance, inputs } = asked
  const { decision, feedback } = await run.context.approve(state.prompt ?? `Approve ${name}?`, {
    show: {
      ...Object.fromEntries(inputs.map(({ path, text }) => [path, text])),
      ...(guidance !== '' && { guidance }),
    },
    onAbort: 'return',
  })
  run.record.approvals.push({ state: name, decision, feedback })
  run.isAborted = decision === 'abort'
  const next = state.transitions[decision]
  if (decision === 'feedback') addGuidance(run, next, 'approval', feedback)
  return { result: decision, next }
}
