import { OrchestratorDecision } from '../../schema/machine/decision.ts'
import type { MachineRecord } from '../../schema/machine/machine-record.ts'
import { AgentError } from '../../text/errors.ts'
import { askAgent } from './ask-agent.ts'
import type { Trigger } from './checkpoints.ts'
import { decisionPrompt } from './decision-prompt.ts'
import { addGuidance } from './guidance.ts'
import { currentVisit, type End, type MachineRun } from './machine-run.ts'
import { orchestratorRole } from './state-facts.ts'
import { renderPersona } from './state-prompt.ts'
import { spentBetween } from './text-facts.ts'

/** What follows from a decision: the machine goes to a state, ends, or goes on as it would have (undefined). */
export type Course = { goesTo: string; result: string } | End | undefined

/** Lets the orchestrator decide before a transition to `next`, and records it. Without a usable decision the machine halts. */
export async function decide(run: MachineRun, trigger: Trigger, next: string): Promise<Course> {
  const { context } = run
  const { state, visit } = currentVisit(run)
  const before = context.spent()
  context.label({ state, visit, checkpoint: trigger.checkpoint })
  const said = await askOrchestrator(run, trigger, next)
  const problem = 'problem' in said ? said.problem : problemOf(run, said)
  const spent = spentBetween(before, context.spent())
  const decided = {
    ...{ trigger: trigger.checkpoint, state, at: context.now(), spent },
    ...(problem === undefined ? factsOf(said as OrchestratorDecision) : invalidOf(said, problem)),
  }
  run.record.decisions.push(decided)
  context.note({ type: 'orchestrator_decision', ...decided })
  if (problem !== undefined)
    return { stopReason: 'halted', detail: `the orchestrator gave no decision: ${problem}` }
  return follow(run, said as OrchestratorDecision, next)
}

type Failed = { problem: string }

async function askOrchestrator(
  run: MachineRun,
  trigger: Trigger,
  next: string,
): Promise<OrchestratorDecision | Failed> {
  const system = renderPersona(run, run.machine.orchestrator.persona, orchestratorRole)
  try {
    const { prompt, show } = decisionPrompt(run, trigger, next)
    const decision = await askAgent(run, orchestratorRole, run.context, {
      ...{ prompt, show, system, work: 'decide' },
      shape: OrchestratorDecision,
    })
    run.hasAnswer = true
    return decision
  } catch (failure) {
    if (!(failure instanceof AgentError)) throw failure
    run.failure ??= failure
    return { problem: failure.message }
  }
}

/** Returns what a decision names that does not exist; undefined if all of it does. */
function problemOf({ outputs, machine }: MachineRun, decision: OrchestratorDecision): string | undefined {
  const typeOf = (name: string) =>
    Object.hasOwn(machine.states, name) ? machine.states[name]?.type : undefined
  if (decision.decision === 'force_complete') {
    const { use_output, proceed_from } = decision
    if (!outputs.find(use_output)) return `there is no output ${use_output}`
    if (proceed_from !== undefined && !typeOf(proceed_from)) return `there is no state ${proceed_from}`
  }
  if (decision.decision === 'retry_different') {
    const type = typeOf(decision.retry_from)
    if (!type) return `there is no state ${decision.retry_from}`
    if (type === 'terminal') return `state ${decision.retry_from} does no work that could be done again`
  }
  return undefined
}

type Decided = Omit<MachineRecord['decisions'][number], 'trigger' | 'state' | 'at' | 'spent'>

function factsOf(said: OrchestratorDecision): Decided {
  const { decision, reasoning } = said
  if (said.decision === 'force_complete') {
    const { use_output, proceed_from: goes_to } = said
    return { decision, reasoning, use_output, ...(goes_to !== undefined && { goes_to }) }
  }
  if (said.decision === 'retry_different')
    return { decision, reasoning, guidance: said.guidance, goes_to: said.retry_from }
  if (said.decision === 'proceed' && said.guidance !== undefined)
    return { decision, reasoning, guidance: said.guidance }
  return { decision, reasoning }
}

const invalidOf = (said: OrchestratorDecision | Failed, problem: string): Decided => ({
  decision: 'invalid',
  reasoning: 'problem' in said ? problem : `${problem}; it said ${said.decision}: ${said.reasoning}`,
})

function follow(run: MachineRun, said: OrchestratorDecision, next: string): Course {
  const { reasoning } = said
  switch (said.decision) {
    case 'proceed':
      if (run.machine.states[next]?.type !== 'terminal')
        addGuidance(run, next, 'orchestrator', said.guidance ?? '')
      return undefined
    case 'retry_different':
      addGuidance(run, said.retry_from, 'orchestrator', said.guidance)
      return { goesTo: said.retry_from, result: said.decision }
    case 'force_complete':
      choose(run, said.use_output)
      if (said.proceed_from !== undefined) return { goesTo: said.proceed_from, result: said.decision }
      return { stopReason: 'done', detail: `the orchestrator chose ${said.use_output}: ${reasoning}` }
    case 'halt':
      return { stopReason: 'halted', detail: `the orchestrator halted: ${said.error ?? reasoning}` }
    case 'dump_context':
      writeContext(run)
      return { stopReason: 'halted', detail: `the orchestrator wrote ${contextPath}: ${reasoning}` }
  }
}

/** Makes an output the one that counts, with its author's files. */
function choose(run: MachineRun, path: string): void {
  const output = run.outputs.find(path)
  if (!output) return
  run.chosen = { output, order: run.record.visits.length }
  if (output.work) run.context.workspace.adopt(output.work.workspace)
}

/** The output that `dump_context` writes. */
const contextPath = 'context.json'

function writeContext({ outputs, record }: MachineRun): void {
  const text = `${JSON.stringify(record, null, 2)}\n`
  outputs.keep({ path: contextPath, agent: '', state: '', visit: 0, order: record.visits.length, text })
}
