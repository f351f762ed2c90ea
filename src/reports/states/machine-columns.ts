import type { CriterionScores } from '../../analysis/agreement/agreement.ts'
import type { AgentContext } from '../../analysis/machine/agent-contexts.ts'
import type { MachineSums } from '../../analysis/machine/machine-sums.ts'
import type { StateSums } from '../../analysis/machine/state-sums.ts'
import { type ColumnOf, dataColumn, labelColumn, simulatedColumn, textColumn } from '../tables/table.ts'
import { formatAmount, formatCount, formatMs, formatUsd, nothing, unknown } from '../words/numbers.ts'
import { alphaText, levelText, percentText, windowText } from './words.ts'

/** A row of one method; `name` is the method with its set of agents. */
export type OfMethod<Row> = Row & { name: string }

const methodColumn = <Row>(): ColumnOf<OfMethod<Row>> => labelColumn('method', 'method', ({ name }) => name)

const left = <Row>(column: ColumnOf<Row>): ColumnOf<Row> => ({ ...column, align: 'left' })

/** Returns the columns of states: how often they were visited, and means per visit. */
export function stateColumns(simulated: boolean): ColumnOf<OfMethod<StateSums>>[] {
  return [
    methodColumn(),
    labelColumn('state', 'state', ({ state }) => state),
    simulatedColumn(simulated),
    left(textColumn('type_text', ['type', ''], 'visits', ({ type }) => type)),
    textColumn('trials_text', ['trials', ''], 'visits', ({ trials }) => formatCount(trials)),
    textColumn('visits_text', ['visits', ''], 'visits', ({ visits }) => formatCount(visits)),
    textColumn('partial_text', ['some failed', 'visits'], 'visits', ({ partialFailures }) =>
      formatCount(partialFailures),
    ),
    textColumn('failed_text', ['all failed', 'visits'], 'visits', ({ allFailed }) => formatCount(allFailed)),
    textColumn('tokens_text', ['tokens', '/visit'], 'spent', ({ tokens }) =>
      formatAmount(tokens, (value) => formatCount(Math.round(value))),
    ),
    textColumn('cost_text', ['cost', '/visit'], 'spent', ({ costUsd }) => formatAmount(costUsd, formatUsd)),
    textColumn('time_text', ['time', '/visit'], 'spent', ({ ms }) => formatMs(ms)),
    ...(['trials', 'visits', 'partialFailures', 'allFailed', 'ms'] as const).map((name) =>
      dataColumn<OfMethod<StateSums>>(name, name === 'ms' ? 'ms per visit' : 'count', (row) => row[name]),
    ),
    dataColumn('tokens', 'tokens per visit', ({ tokens }) => tokens.value),
    dataColumn('costUsd', 'USD per visit', ({ costUsd }) => costUsd.value),
  ]
}

/** Returns the columns of transitions. */
export function transitionColumns(
  simulated: boolean,
): ColumnOf<OfMethod<MachineSums['transitions'][number]>>[] {
  return [
    methodColumn(),
    labelColumn('from', 'from', ({ from }) => from),
    labelColumn('result', 'result', ({ result }) => result),
    labelColumn('to', 'to', ({ to }) => to),
    simulatedColumn(simulated),
    textColumn('times_text', ['taken', 'times'], 'taken', ({ times }) => formatCount(times)),
    textColumn('trials_text', ['in', 'trials'], 'taken', ({ trials }) => formatCount(trials)),
    dataColumn('times', 'count', ({ times }) => times),
    dataColumn('trials', 'trials', ({ trials }) => trials),
  ]
}

/** Returns the columns of scores by criterion, with the agreement of the auditors. */
export function scoreColumns(simulated: boolean): ColumnOf<OfMethod<CriterionScores>>[] {
  return [
    methodColumn(),
    labelColumn('criterion', 'criterion', ({ criterion }) => criterion),
    simulatedColumn(simulated),
    textColumn('mean_text', ['mean', '1 to 10'], 'scores', ({ mean }) => mean.toFixed(1)),
    textColumn('scores_text', ['scores', ''], 'scores', ({ scores }) => formatCount(scores)),
    textColumn('auditors_text', ['auditors', ''], 'scores', ({ auditors }) => formatCount(auditors)),
    textColumn('spread_text', ['spread', 'highest - lowest'], 'agreement', ({ spread }) =>
      spread === null ? nothing : spread.toFixed(1),
    ),
    textColumn('alpha_text', ['agreement', 'alpha'], 'agreement', alphaText),
    textColumn('units_text', ['compared', 'outputs'], 'agreement', ({ units }) => formatCount(units)),
    ...(['mean', 'scores', 'auditors', 'spread', 'alpha', 'units'] as const).map((name) =>
      dataColumn<OfMethod<CriterionScores>>(name, '', (row) => row[name]),
    ),
  ]
}

/** Returns the columns of context windows. */
export function windowColumns(simulated: boolean): ColumnOf<OfMethod<AgentContext>>[] {
  return [
    methodColumn(),
    labelColumn('role', 'agent', ({ role }) => role),
    labelColumn('agent', 'answered by', ({ agent }) => agent),
    simulatedColumn(simulated),
    textColumn('used_text', ['largest prompt', 'tokens'], 'window', ({ used }) =>
      used === null ? unknown : formatCount(used),
    ),
    textColumn('window_text', ['window', 'tokens'], 'window', ({ window, source }) =>
      windowText(window, source),
    ),
    textColumn('percent_text', ['used', '%'], 'window', percentText),
    left(textColumn('level_text', ['health', ''], 'window', levelText)),
    ...(['used', 'window', 'percent', 'level', 'trials'] as const).map((name) =>
      dataColumn<OfMethod<AgentContext>>(name, name === 'percent' ? 'percent' : '', (row) => row[name]),
    ),
  ]
}

/** Returns the columns of what trials handed in. */
export function deliveredColumns(simulated: boolean): ColumnOf<OfMethod<MachineSums['delivered'][number]>>[] {
  return [
    methodColumn(),
    labelColumn('task', 'task', ({ task, epoch }) => `${task}, epoch ${epoch}`),
    simulatedColumn(simulated),
    left(textColumn('path_text', ['output', ''], 'delivered', ({ path }) => path)),
    textColumn('words_text', ['words', ''], 'delivered', ({ words }) => formatCount(words)),
    left(textColumn('preview_text', ['begins', ''], 'delivered', previewText)),
    dataColumn('trial', '', ({ trial }) => trial),
    dataColumn('words', 'count', ({ words }) => words),
  ]
}

const longestPreview = 40

function previewText({ preview }: { preview: string | null }): string {
  if (preview === null) return 'left out: capture.previews is false'
  const line = preview.replace(/\s+/g, ' ').trim()
  return line.length > longestPreview ? `${line.slice(0, longestPreview - 1)}…` : line
}
