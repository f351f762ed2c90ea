import type { CriterionScores } from '../../analysis/agreement/agreement.ts'
import type { KindFacts } from '../../analysis/evidence.ts'
import type { AgentContext, ContextHealth } from '../../analysis/workflow/contexts.ts'
import type { MachineSums, StateSums } from '../../analysis/workflow/sums.ts'
import { shortenEnd } from '../../text/shorten.ts'
import { type ColumnOf, dataColumn, labelColumn, simulatedColumn, textColumn } from '../tables/table.ts'
import { formatAmount, formatCount, formatMs, formatUsd, nothing, unknown } from '../words/numbers.ts'

/** A row of one method; `name` is the method with its set of agents. */
export type OfMethod<Row> = Row & { name: string }

/** Returns the column with its texts at the left. */
export const left = <Row>(column: ColumnOf<Row>): ColumnOf<Row> => ({ ...column, align: 'left' })

const countColumn = <Key extends string, Row extends Record<Key, number>>(
  name: Key,
  heading: [string, string],
  group: string,
): ColumnOf<Row> => textColumn(`${name}_text`, heading, group, (row) => formatCount(row[name]))

const labels = <Row>(
  kind: KindFacts,
  ...more: [key: string, heading: string, text: (row: OfMethod<Row>) => string][]
): ColumnOf<OfMethod<Row>>[] => [
  labelColumn('method', 'method', ({ name }) => name),
  ...more.map(([key, heading, text]) => labelColumn(key, heading, text)),
  simulatedColumn(kind),
]

/** Returns the columns of states: how often they were visited, and means per visit. */
export const stateColumns = (kind: KindFacts): ColumnOf<OfMethod<StateSums>>[] => [
  ...labels<StateSums>(kind, ['state', 'state', ({ state }) => state]),
  left(textColumn('type_text', ['type', ''], 'visits', ({ type }) => type)),
  countColumn('trials', ['trials', ''], 'visits'),
  countColumn('visits', ['visits', ''], 'visits'),
  countColumn('partialFailures', ['some failed', 'visits'], 'visits'),
  countColumn('allFailed', ['all failed', 'visits'], 'visits'),
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

type Transition = MachineSums['transitions'][number]

/** Returns the columns of transitions. */
export const transitionColumns = (kind: KindFacts): ColumnOf<OfMethod<Transition>>[] => [
  ...labels<Transition>(
    kind,
    ['from', 'from', ({ from }) => from],
    ['result', 'result', ({ result }) => result],
    ['to', 'to', ({ to }) => to],
  ),
  countColumn('times', ['taken', 'times'], 'taken'),
  countColumn('trials', ['in', 'trials'], 'taken'),
  dataColumn('times', 'count', ({ times }) => times),
  dataColumn('trials', 'trials', ({ trials }) => trials),
]

/** Returns the agreement of auditors, such as `0.82`, or why it has no value. */
export function alphaText({ alpha, because }: Pick<CriterionScores, 'alpha' | 'because'>): string {
  if (alpha !== null) return alpha.toFixed(2)
  return because === 'no-variation' ? 'all scores equal' : 'one auditor each'
}

/** Returns the columns of scores by criterion, with the agreement of the auditors. */
export const scoreColumns = (kind: KindFacts): ColumnOf<OfMethod<CriterionScores>>[] => [
  ...labels<CriterionScores>(kind, ['criterion', 'criterion', ({ criterion }) => criterion]),
  textColumn('mean_text', ['mean', '1 to 10'], 'scores', ({ mean }) => mean.toFixed(1)),
  countColumn('scores', ['scores', ''], 'scores'),
  countColumn('auditors', ['auditors', ''], 'scores'),
  textColumn('spread_text', ['spread', 'highest - lowest'], 'agreement', ({ spread }) =>
    spread === null ? nothing : spread.toFixed(1),
  ),
  textColumn('alpha_text', ['agreement', 'alpha'], 'agreement', alphaText),
  countColumn('units', ['compared', 'outputs'], 'agreement'),
  ...(['mean', 'scores', 'auditors', 'spread', 'alpha', 'units'] as const).map((name) =>
    dataColumn<OfMethod<CriterionScores>>(name, '', (row) => row[name]),
  ),
]

const levelTexts: Record<ContextHealth['level'], string> = {
  healthy: 'healthy',
  moderate: 'above 60%',
  filling: 'above 80%',
  critical: 'above 90%',
  unknown,
}

/** Returns the level of a context window: `healthy`, `above 60%`, … */
export const levelText = ({ level }: Pick<ContextHealth, 'level'>): string => levelTexts[level]

/** Returns the columns of how full context windows are, for people. */
export const healthColumns = <
  Row extends ContextHealth & Pick<AgentContext, 'source'>,
>(): ColumnOf<Row>[] => [
  textColumn('used_text', ['largest prompt', 'tokens'], 'window', ({ used }) =>
    used === null ? unknown : formatCount(used),
  ),
  textColumn('window_text', ['window', 'tokens'], 'window', ({ window, source }) =>
    window === null ? unknown : `${formatCount(window)} (${source === 'setting' ? 'set' : 'price table'})`,
  ),
  textColumn('percent_text', ['used', '%'], 'window', ({ percent }) => percent?.toFixed(1) ?? nothing),
  left(textColumn('level_text', ['health', ''], 'window', levelText)),
]

/** Returns the columns of context windows. */
export const windowColumns = (kind: KindFacts): ColumnOf<OfMethod<AgentContext>>[] => [
  ...labels<AgentContext>(
    kind,
    ['role', 'agent', ({ role }) => role],
    ['agent', 'answered by', ({ agent }) => agent],
  ),
  ...healthColumns<OfMethod<AgentContext>>(),
  ...(['used', 'window', 'percent', 'level', 'trials'] as const).map((name) =>
    dataColumn<OfMethod<AgentContext>>(name, name === 'percent' ? 'percent' : '', (row) => row[name]),
  ),
]

type Delivered = MachineSums['delivered'][number]

/** Returns the columns of what trials handed in. */
export const deliveredColumns = (kind: KindFacts): ColumnOf<OfMethod<Delivered>>[] => [
  ...labels<Delivered>(kind, ['task', 'task', ({ task, epoch }) => `${task}, epoch ${epoch}`]),
  left(textColumn('path_text', ['output', ''], 'delivered', ({ path }) => path)),
  countColumn('words', ['words', ''], 'delivered'),
  left(textColumn('preview_text', ['begins', ''], 'delivered', previewText)),
  dataColumn('trial', '', ({ trial }) => trial),
  dataColumn('words', 'count', ({ words }) => words),
]

const longestPreview = 40

function previewText({ preview }: Delivered): string {
  if (preview === null) return 'left out: capture.previews is false'
  return shortenEnd(preview.replace(/\s+/g, ' ').trim(), longestPreview)
}
