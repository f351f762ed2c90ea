import { alignedTable } from '../../reports/words/aligned-table.ts'
import { counted, formatCount, formatUsd, nothing, unknown } from '../../reports/words/numbers.ts'
import { safeLine } from '../../reports/words/safe-text.ts'
import type { PairPlan, PlannedTest, RunPlan } from './pair-plan.ts'

/** What the text says about the pilot and the plan. */
export interface PlanText extends PlannedTest {
  simulated: boolean
  run: RunPlan
  amended: string | null
}

/** Formats a plan as a table with a line for each pair, a line with what to take, and notes. */
export function powerText(rows: readonly PairPlan[], plan: PlanText): string {
  const { simulated, amended } = plan
  return `${[
    ...(rows.length === 0 ? ['nothing to compare: the run needs several methods'] : pairTable(rows, plan)),
    ...(rows.length === 0 ? [] : ['', ...takeText(rows, plan), '']),
    ...rows.flatMap(pairNotes),
    conditionsText(rows.length, plan),
    ...(amended === null ? [] : [safeLine(amended)]),
    ...(simulated
      ? ['Simulated: tasks and dollars are valid only for what the profile describes, at its prices.']
      : []),
  ].join('\n')}\n`
}

const percent = (value: number) => Number((100 * value).toPrecision(6))
const points = (share: number) => `${percent(share).toFixed(1)} points`

function pairTable(rows: readonly PairPlan[], { delta, run }: PlanText): string[] {
  const headings = {
    pair: 'pair',
    finds: 'finds now',
    tasks: `tasks for ${percent(delta)} points`,
    epochs: 'epochs',
    dollars: 'dollars',
  }
  const lines = rows.map((row) => ({
    pair: `${row.a} - ${row.b}`,
    finds: row.detectable === null ? nothing : points(row.detectable),
    tasks: neededText(row),
    epochs: row.needed === null ? nothing : `${run.epochs}`,
    dollars: row.needed === null ? nothing : row.costUsd === null ? unknown : formatUsd(row.costUsd),
  }))
  return alignedTable(headings, lines, ['finds', 'tasks', 'epochs', 'dollars'])
}

function neededText({ needed, neededUpper }: PairPlan): string {
  if (needed === null) return nothing
  return `${formatCount(needed)}${neededUpper === null ? '' : ` (up to ${formatCount(neededUpper)})`}`
}

/** Says how many tasks to take, and what that costs. */
function takeText(rows: readonly PairPlan[], { delta, run }: PlanText): string[] {
  const { tasks, tasksUpper, epochs, costUsd } = run
  const present = Math.max(...rows.map((row) => row.tasks))
  const found = rows.flatMap(({ detectable }) => detectable ?? [])
  const finds =
    found.length === 0
      ? ''
      : ` The pilot's ${counted(present, 'task')} ${present === 1 ? 'finds' : 'find'} ${spanText(found)}.`
  if (tasks === null) {
    const lacking = rows.filter(({ needed }) => needed === null)
    return [
      `No number of tasks can be planned for ${counted(lacking.length, 'pair')}; the notes say why.${finds}`,
    ]
  }
  const cost = costUsd === null ? 'dollars unknown' : `about ${formatUsd(costUsd)} for all methods`
  const safe =
    tasksUpper === null || tasksUpper === tasks
      ? ''
      : ` The pilot is small: with ${formatCount(tasksUpper)} tasks its own uncertainty is covered.`
  return [
    `Take ${counted(tasks, 'task')} with ${counted(epochs, 'epoch')}: every pair then finds ${percent(delta)} points, ${cost}.`,
    ...(safe + finds === '' ? [] : [`${safe}${finds}`.trim()]),
  ]
}

function spanText(shares: readonly number[]): string {
  const [low, high] = [Math.min(...shares), Math.max(...shares)].map((share) => percent(share).toFixed(1))
  return low === high ? `${low} points` : `${low} to ${high} points, by pair`
}

/** Says what more epochs give, and what other tests need. */
function pairNotes(row: PairPlan): string[] {
  const { tasks, needed, neededEndlessEpochs, neededEpochs, epochsRefusal, refusal } = row
  const name = safeLine(`${row.a} - ${row.b}`)
  if (needed === null) return [`${name}: ${refusal}`]
  const those = tasks === 1 ? 'the 1 task of the pilot' : `the ${tasks} tasks of the pilot`
  const epochs =
    neededEpochs === null
      ? `on ${those}: ${epochsRefusal}`
      : `on ${those}, ${counted(neededEpochs, 'epoch')} of each would do`
  const endless =
    neededEndlessEpochs === null
      ? ''
      : `; even with infinitely many epochs it needs ${counted(neededEndlessEpochs, 'task')}`
  return [`${name}: ${epochs}${endless}${mcnemarText(row)}`]
}

function mcnemarText({ mcnemar }: PairPlan): string {
  if (!mcnemar) return ''
  const power = mcnemar.power === null ? '' : ` (${(100 * mcnemar.power).toFixed(0)}% power by enumeration)`
  return `; McNemar's test needs ${counted(mcnemar.n, 'task')}${power}`
}

function conditionsText(pairs: number, { power, alpha, run }: PlanText): string {
  const level = `${Number((100 * alpha).toPrecision(3))}% (5% over ${counted(pairs, 'pair')})`
  return `${percent(power)}% power, two-sided at ${level}, ${counted(run.epochs, 'epoch')}. Valid only if the number of tasks is fixed beforehand, not for running "until significant".`
}
