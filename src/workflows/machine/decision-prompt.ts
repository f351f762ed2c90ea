import type { MachineRecord } from '../../schema/machine/machine-record.ts'
import { trimToTokens } from '../trim.ts'
import { sections } from '../work-context.ts'
import type { Trigger } from './checkpoints.ts'
import { currentVisit, elapsedOf, type MachineRun } from './machine-run.ts'
import { isAsking } from './state-facts.ts'
import { outputFacts } from './text-facts.ts'

/** Most estimated tokens of each output that the orchestrator reads when it decides. */
const tokensOfOutput = 1_500

/** Returns the prompt of a decision: why it is asked, what has happened, what exists, and what may be decided. */
export function decisionPrompt(
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
