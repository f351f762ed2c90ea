import { evidenceOf } from '../../analysis/evidence.ts'
import type { ActingTrials } from '../../analysis/mechanisms.ts'
import type { Summary } from '../../analysis/summary.ts'
import { rowName } from '../../schema/agent/agent-set.ts'
import {
  type ColumnOf,
  createTable,
  dataColumn,
  labelColumn,
  type Note,
  simulatedColumn,
  type Table,
  textColumn,
} from '../tables/table.ts'
import { formatCount, formatInterval, listed, nothing, unknown } from '../words/numbers.ts'
import { confidenceName, formatDifference } from '../words/result-text.ts'

/** What the tables of mechanisms need of a summary. */
export type MechanismSummary = Pick<Summary, 'methods' | 'simulated' | 'recorded' | 'imported' | 'confidence'>

/** The trials in which a mechanism of a row acted, or might have. */
interface ActingRow extends ActingTrials {
  method: string
}

/** Returns the mechanisms of all rows with what came of the trials in which they acted. */
const actingRows = ({ methods }: Pick<Summary, 'methods'>): ActingRow[] =>
  methods.flatMap(({ method, set, acting = [] }) =>
    acting.map((trials) => ({ ...trials, method: rowName(method, set) })),
  )

/** Creates the table of success where mechanisms acted, and of what they changed; undefined without rows. */
export function actingTable(summary: MechanismSummary): Table | undefined {
  const rows = actingRows(summary)
  if (rows.length === 0) return undefined
  const columns = [...labels, simulatedColumn<ActingRow>(summary), ...textColumns(summary), ...dataColumns]
  const title = `Mechanisms: what came of the trials in which they acted${evidenceOf(summary).mark}`
  return { ...createTable(title, columns, rows, []), isSplit: true }
}

/** Returns the notes below that table; none without it. */
export function actingNotes(summary: MechanismSummary): Note[] {
  const rows = actingRows(summary)
  if (rows.length === 0) return []
  const named = (acting: (row: Summary['methods'][number]) => boolean) =>
    listed(summary.methods.filter(acting).map(({ method, set }) => rowName(method, set)))
  const [without, undeclared] = [
    named(({ acting }) => acting?.length === 0),
    named(({ acting }) => acting === undefined),
  ]
  const isUngraded = rows.some(({ ungraded }) => ungraded > 0)
  return [
    ...(without === '' ? [] : [{ text: `Without a mechanism that acts on work: ${without}.` }]),
    ...(undeclared === '' ? [] : [{ text: `No mechanism is declared: ${undeclared}.` }]),
    ...(isUngraded ? [{ text: needsCandidates }] : []),
    { text: selected },
    { text: definition, kind: 'definition' },
  ]
}

const labels: ColumnOf<ActingRow>[] = [
  labelColumn('method', 'method', ({ method }) => method),
  labelColumn('mechanism', 'mechanism', ({ mechanism }) => mechanism),
]

const textColumns = (summary: MechanismSummary): ColumnOf<ActingRow>[] => {
  const level = confidenceName(summary)
  return [
    textColumn('trials_text', ['acted in', 'trials'], 'acted', ({ trials, known }) =>
      known === 0 ? unknown : `${formatCount(trials)} of ${formatCount(known)}`,
    ),
    textColumn('success_text', ['success there', `% [${level}]`], 'acted', successText),
    textColumn('flips_text', ['mended,', 'broken, same'], 'change', ({ change }) =>
      change && change.trials > 0
        ? [change.mended, change.broken, change.same].map(formatCount).join(', ')
        : nothing,
    ),
    textColumn('change_text', ['change', `points [${level}]`], 'change', ({ change }) =>
      change && change.trials > 0 ? formatDifference(change, { scale: 100, decimals: 1 }) : nothing,
    ),
  ]
}

function successText({ known, trials, graded, success }: ActingRow): string {
  if (known > 0 && trials === 0) return 'never active'
  return graded === 0 ? nothing : formatInterval(success)
}

const points = (share: number | null | undefined) => (share == null ? null : 100 * share)

const dataColumns: ColumnOf<ActingRow>[] = [
  dataColumn('trials', 'count', ({ trials }) => trials),
  dataColumn('known', 'trials', ({ known }) => known),
  dataColumn('without_candidates', 'trials', ({ ungraded }) => ungraded),
  dataColumn('graded', 'trials', ({ graded }) => graded),
  dataColumn('passed', 'trials', ({ passed }) => passed),
  dataColumn('success', 'share', ({ success }) => success.estimate),
  dataColumn('success_lower', 'share', ({ success }) => success.lower),
  dataColumn('success_upper', 'share', ({ success }) => success.upper),
  dataColumn('compared', 'trials', ({ change }) => change?.trials ?? null),
  dataColumn('compared_tasks', 'tasks', ({ change }) => change?.tasks ?? null),
  dataColumn('mended', 'trials', ({ change }) => change?.mended ?? null),
  dataColumn('broken', 'trials', ({ change }) => change?.broken ?? null),
  dataColumn('same', 'trials', ({ change }) => change?.same ?? null),
  dataColumn('change', 'points', ({ change }) => points(change?.estimate)),
  dataColumn('change_lower', 'points', ({ change }) => points(change?.lower)),
  dataColumn('change_upper', 'points', ({ change }) => points(change?.upper)),
]

const needsCandidates =
  'What a mechanism changed, and in which trials it took other work, is known where candidates are graded: run with --grade-candidates.'
const selected =
  'A mechanism chooses the trials in which it acts, often the hard ones, so success there is no success of the method. Where it acts only on work that looks wrong, it can hardly break any.'
const definition =
  'Change: success of what was handed in, minus that of the candidate that would have been handed in without the mechanism, each a mean of task means over the same trials, with limits by task, or by cluster where tasks have clusters. Mended: wrong before and right after; broken: right before and wrong after. No work before it, no change: routes and summaries. Nothing here is tested.'
