import type { PairPlan, RunPlan } from '../../analysis/compare/run-plan.ts'
import type { PlannedTest } from '../../analysis/planning/tasks-needed.ts'
import { counted, formatCount, formatUsd, nothing, unknown } from '../../reports/words/numbers.ts'
import { safeLine } from '../../reports/words/safe-text.ts'
import { wrapWords } from '../../text/wrap-words.ts'
import { fittingTable } from '../terminal/terminal-width.ts'

/** What the text says about the pilot and the plan. */
interface PlanText extends PlannedTest {
  simulated: boolean
  run: RunPlan
  amended: string | null
}

/** Formats a plan, in lines of at most `width` columns: a table with a line for each pair, what to take, and notes. */
export function powerText(rows: readonly PairPlan[], plan: PlanText, width: number): string {
  const { simulated, amended } = plan
  const table =
    rows.length === 0
      ? ['nothing to compare: the run needs several methods']
      : fittingTable(
          width,
          columnsOf(plan),
          rows.map((row) => cellsOf(row, plan)),
          'pair',
        )
  const notes = [
    ...rows.map(pairNote),
    conditionsText(rows.length, plan),
    ...(amended === null ? [] : [safeLine(amended)]),
    ...(simulated
      ? ['Simulated: tasks and dollars are valid only for what the profile describes, at its prices.']
      : []),
  ]
  const take =
    rows.length === 0 ? [] : ['', ...wrapWords(takeText(plan), width), ...seenText(rows, plan, width), '']
  return `${[...table, ...take, ...notes.flatMap((note) => wrapWords(note, width))].join('\n')}\n`
}

const percent = (value: number) => Number((100 * value).toPrecision(6))
const points = (share: number) => `${percent(share).toFixed(1)} points`

const columnsOf = ({ delta }: PlanText) => ({
  pair: 'pair',
  finds: 'finds now',
  tasks: `tasks for ${percent(delta)} points`,
  epochs: 'epochs',
  dollars: 'dollars',
})

const cellsOf = (row: PairPlan, { run }: PlanText) => ({
  pair: `${row.a} than ${row.b}`,
  finds: row.detectable === null ? nothing : points(row.detectable),
  tasks: neededText(row),
  epochs: row.needed === null ? nothing : `${run.epochs}`,
  dollars: row.needed === null ? nothing : row.costUsd === null ? unknown : formatUsd(row.costUsd),
})

function neededText({ take, neededUpper }: PairPlan): string {
  if (take === null) return nothing
  const upper = neededUpper === null || neededUpper <= take ? '' : ` (up to ${formatCount(neededUpper)})`
  return `${formatCount(take)}${upper}`
}

function takeText({ delta, run }: PlanText): string {
  const { tasks, epochs, costUsd } = run
  if (tasks === null) return 'No number of tasks can be planned for every pair; the notes say why.'
  const cost = costUsd === null ? 'dollars unknown' : `about ${formatUsd(costUsd)} for all methods`
  return `Take ${counted(tasks, 'task')} with ${counted(epochs, 'epoch')}: every pair then finds ${percent(delta)} points, ${cost}.`
}

function seenText(rows: readonly PairPlan[], { run }: PlanText, width: number): string[] {
  const present = Math.max(...rows.map((row) => row.tasks))
  const found = rows.flatMap(({ detectable }) => detectable ?? [])
  const finds =
    found.length === 0
      ? []
      : [
          `The ${counted(present, 'task')} of the pilot ${present === 1 ? 'finds' : 'find'} ${spanText(found)}.`,
        ]
  const { tasks, tasksUpper } = run
  const safe =
    tasksUpper === null || tasksUpper === tasks
      ? []
      : [
          `The pilot is small: ${formatCount(tasksUpper)} tasks also cover the uncertainty of its own numbers.`,
        ]
  return [...finds, ...safe].flatMap((sentence) => wrapWords(sentence, width))
}

function spanText(shares: readonly number[]): string {
  const [low, high] = [Math.min(...shares), Math.max(...shares)].map((share) => percent(share).toFixed(1))
  return low === high ? `${low} points` : `${low} to ${high} points, by pair`
}

function pairNote(row: PairPlan): string {
  const { tasks, needed, neededEndlessEpochs, neededEpochs, epochsRefusal, refusal, detectableRefusal } = row
  const name = safeLine(`${row.a} than ${row.b}`)
  if (needed === null) return `${name}: ${refusal}`
  const those = tasks === 1 ? 'the 1 task of the pilot' : `the ${tasks} tasks of the pilot`
  const epochs =
    neededEpochs === null
      ? `on ${those}: ${epochsRefusal}`
      : `on ${those}, ${counted(neededEpochs, 'epoch')} of each would do`
  const endless =
    neededEndlessEpochs === null
      ? ''
      : `; even with infinitely many epochs it needs ${counted(neededEndlessEpochs, 'task')}`
  const finds =
    detectableRefusal === null || detectableRefusal === epochsRefusal
      ? ''
      : `; they find nothing: ${detectableRefusal}`
  return `${name}: ${epochs}${finds}${endless}${mcnemarText(row)}`
}

function mcnemarText({ mcnemar }: PairPlan): string {
  if (!mcnemar) return ''
  const power = mcnemar.power === null ? '' : ` (${(100 * mcnemar.power).toFixed(0)}% power by enumeration)`
  return `; McNemar's test, which one epoch has, needs ${counted(mcnemar.n, 'task')}${power}`
}

function conditionsText(pairs: number, { power, alpha, run }: PlanText): string {
  const level = `${Number((100 * alpha).toPrecision(3))}% (5% over ${counted(pairs, 'pair')})`
  return `${percent(power)}% power, two-sided at ${level}, ${counted(run.epochs, 'epoch')}. Valid only if the number of tasks is fixed beforehand, not for running "until significant".`
}
