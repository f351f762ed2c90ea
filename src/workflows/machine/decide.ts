import { OrchestratorDecision } from '../../schema/machine/decision.ts'
import type { MachineRecord } from '../../schema/machine/machine-record.ts'
import { AgentError } from '../../text/errors.ts'
import { sections, trimToTokens } from '../work-context.ts'
import { askAgent } from './ask-agent.ts'
import type { Trigger } from './checkpoints.ts'
import {
  addGuidance,
  currentVisit,
  type End,
  elapsedOf,
  type MachineRun,
  outputFacts,
  spentBetween,
} from './machine-run.ts'
import { isAsking, orchestratorRole } from './state-facts.ts'
import { renderPersona } from './state-prompt.ts'

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

const contextPath = 'context.json'

function writeContext({ outputs, record }: MachineRun): void {
  const text = `${JSON.stringify(record, null, 2)}\n`
  outputs.keep({ path: contextPath, agent: '', state: '', visit: 0, order: record.visits.length, text })
}

/** Most estimated tokens of each output that the orchestrator reads when it decides. */
const tokensOfOutput = 1_500

/** Returns the prompt of a decision: why it is asked, what has happened, what exists, and what may be decided. */
function decisionPrompt(
  run: MachineRun,
  { checkpoint, fact }: Trigger,
  next: string,
): { prompt: string; show: Record<string, string> } {
  const { outputs, transitions, context } = run
  const { state } = currentVisit(run)
  const exist = outputs.list()
  const costUsd = context.spent().costUsd
  const parts = {
    'Why you are asked': `${checkpoint}: ${fact}. The workflow has left ${state} and would go to ${next}.`,
    'Path so far': transitions
      .map(({ from, to, result }, i) => `${i + 1}. ${from} -> ${to} (${result})`)
      .join('\n'),
    'Time and cost': `${Math.round(elapsedOf(run) / 1000)} s; ${costUsd === null ? 'cost unknown' : `${costUsd.toFixed(2)} dollars`}`,
    Outputs: exist
      .map(({ path, agent, state, visit, text }) => {
        const by = agent === '' ? '' : ` by ${agent}`
        return `- ${path}${by}${state === '' ? '' : ` in ${state}, visit ${visit}`}: ${wordsText(outputFacts(path, text).words)}`
      })
      .join('\n'),
    Scores: scoreHistory(
      run.record,
      exist.map(({ path }) => path),
    ).join('\n'),
    'Your options': optionsText(run, next),
  }
  const prompt = `You direct this workflow. It has stopped until you decide.\n\n${sections(parts)}`
  const texts = exist.map(({ path, text }) => [path, trimToTokens(text.trim(), tokensOfOutput)])
  // It may decide before any state has asked it for work, and so told it the task.
  return { prompt, show: { task: context.instruction.trim(), ...Object.fromEntries(texts) } }
}

const wordsText = (words: number) => `${words} ${words === 1 ? 'word' : 'words'}`

function optionsText({ machine }: MachineRun, next: string): string {
  const names = Object.entries(machine.states)
  const going = names.map(([name]) => name).join(', ')
  const asking = names.flatMap(([name, state]) => (isAsking(state) ? [name] : [])).join(', ')
  return [
    machine.states[next]?.type === 'terminal'
      ? `- proceed: go on to ${next}, where the workflow ends`
      : `- proceed: go on to ${next}; \`guidance\`, if given, is told to its agents once`,
    `- force_complete: \`use_output\` is the output that counts; the workflow ends, or goes on from the state \`proceed_from\` (${going})`,
    `- retry_different: run the state \`retry_from\` (${asking}) again with your \`guidance\``,
    '- halt: stop; the workflow has failed',
    '- dump_context: stop, and write down everything that happened',
  ].join('\n')
}

/**
 * Returns the scores so far, a line for each gate and each criterion of a target, in order of time, with their trend. Scores of
 * one visit are averaged over the auditors. Only outputs in `exist` are named: whoever lost its output is mentioned to nobody.
 */
export function scoreHistory(
  { gates, scores }: Pick<MachineRecord, 'gates' | 'scores'>,
  exist: readonly string[],
): string[] {
  const lines = new Map<string, Map<number, number[]>>()
  const add = (name: string, visit: number, score: number) => {
    const line = lines.get(name) ?? new Map<number, number[]>()
    line.set(visit, [...(line.get(visit) ?? []), score])
    lines.set(name, line)
  }
  for (const { state, visit, quality_score } of gates) add(`${state}: quality`, visit, quality_score)
  for (const { state, visit, target, criterion, score } of scores)
    if (exist.includes(target)) add(`${state}: ${criterion} of ${target}`, visit, score)
  return [...lines].map(([name, visits]) => {
    const means = [...visits.values()].map((all) =>
      Number((all.reduce((sum, one) => sum + one, 0) / all.length).toFixed(1)),
    )
    return `${name} ${means.join(', ')}${trendOf(means)}`
  })
}

function trendOf(means: readonly number[]): string {
  const [before, last] = means.slice(-2)
  if (before === undefined || last === undefined) return ''
  return last > before ? ' (improving)' : last < before ? ' (falling)' : ' (plateaued)'
}
