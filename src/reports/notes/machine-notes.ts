import type { Summary } from '../../analysis/summary.ts'
import type { MachineSums } from '../../analysis/workflow/sums.ts'
import { counted, formatAmount, formatCount, formatUsd } from '../words/numbers.ts'

/** Returns a note for each method that ran workflows of states: how they ended, what broke, who decided what. */
export function machineNotes({ methods }: Summary): string[] {
  return methods.flatMap(({ method, machine }) => (machine ? [`${method}: ${sumsText(machine)}`] : []))
}

/** Returns counts such as `done 3, halted 1`; `nothing` without any. */
function countsText(counts: Readonly<Record<string, number>>, nothing = ''): string {
  const texts = Object.entries(counts).map(([name, count]) => `${name} ${formatCount(count)}`)
  return texts.join(', ') || nothing
}

function decisionTexts({ decisions, decided }: MachineSums): string[] {
  if (Object.keys(decisions).length === 0) return []
  const tokens = formatAmount(decided.tokens, formatCount)
  const cost = formatAmount(decided.costUsd, formatUsd)
  return [
    `decisions of the orchestrator: ${countsText(decisions)} (${tokens} tokens, cost ${cost}, in no visit)`,
  ]
}

function sumsText(machine: MachineSums): string {
  const { trials, ends, runs, partialFailures, breaks, verdicts, guidance, approvals } = machine
  const failed = runs.failed + runs.timeout
  const optional = (name: string, counts: Readonly<Record<string, number>>) =>
    Object.keys(counts).length > 0 ? [`${name}: ${countsText(counts)}`] : []
  return [
    `${counted(trials, 'trial')} of workflows of states, ended: ${countsText(ends, 'not known')}`,
    failed === 0
      ? 'no agent failed'
      : `${failed} of ${counted(runs.all, 'run')} of agents failed (${runs.timeout} ran out of time); only some of its agents failed in ${counted(partialFailures, 'visit')}`,
    `rules that broke: ${countsText(breaks, 'no rule')}`,
    ...decisionTexts(machine),
    ...optional('verdicts of gates', verdicts),
    ...optional('guidance from', guidance),
    ...optional('approvals', approvals),
  ]
    .join('; ')
    .concat('.')
}
