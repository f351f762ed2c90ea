import { evidenceOf } from '../../analysis/evidence.ts'
import type { Summary } from '../../analysis/summary.ts'
import type { SavingSums } from '../../analysis/tool-savings.ts'
import { rowName } from '../../schema/agent/agent-set.ts'
import {
  type ColumnOf,
  createTable,
  dataColumn,
  labelColumn,
  type Note,
  type Section,
  simulatedColumn,
  textColumn,
} from '../tables/table.ts'
import { formatCount } from '../words/numbers.ts'
import { savedText } from '../words/trial-text.ts'

/** What reports of one tool saved in one stage of a method, or in all of them. */
interface SavingRow extends SavingSums {
  method: string
  /** Null: all stages and tools of the method. */
  stage: string | null
  tool: string | null
  /** Trials in which tools ran; of a method only. */
  trials: number | null
}

/** Creates the section on what compact reports of tools saved; undefined if no method ran a tool in a stage. */
export function savingsSection({
  methods,
  ...kind
}: Pick<Summary, 'methods' | 'simulated' | 'recorded'>): Section | undefined {
  const rows = methods.flatMap(({ method, set, savings }): SavingRow[] => {
    if (!savings) return []
    const { parts, ...all } = savings
    const name = { method: rowName(method, set) }
    return [
      { ...name, stage: null, tool: null, ...all },
      ...parts.map((part) => ({ ...name, ...part, trials: null })),
    ]
  })
  if (rows.length === 0) return undefined
  const table = (title: string, isOfPart: boolean, columns: ColumnOf<SavingRow>[]) =>
    createTable(
      `Reports of tools: ${title}${evidenceOf(kind).mark}`,
      [methodColumn, ...columns, ...savingColumns],
      rows.filter(({ stage }) => (stage !== null) === isOfPart),
      [],
    )
  return {
    name: 'toolSavings',
    tables: [
      table('tokens saved', false, [simulatedColumn(kind), trialsColumn]),
      table('by stage and tool', true, [stageColumn, toolColumn, simulatedColumn(kind)]),
    ],
    notes: [estimateNote],
    data: rows,
  }
}

const methodColumn = labelColumn<SavingRow>('method', 'method', ({ method }) => method)
const stageColumn = labelColumn<SavingRow>('stage', 'stage', ({ stage }) => stage ?? '')
const toolColumn = labelColumn<SavingRow>('tool', 'tool', ({ tool }) => tool ?? '')
const trialsColumn = textColumn<SavingRow>('trials_text', ['trials', 'with tools'], 'runs', ({ trials }) =>
  formatCount(trials ?? 0),
)

const savingColumns: ColumnOf<SavingRow>[] = [
  textColumn('runs_text', ['runs', 'of tools'], 'runs', ({ runs }) => formatCount(runs)),
  textColumn('raw_text', ['output', 'tokens'], 'tokens', ({ rawTokens }) => formatCount(rawTokens)),
  textColumn('compact_text', ['reports', 'tokens'], 'tokens', ({ compactTokens }) =>
    formatCount(compactTokens),
  ),
  textColumn('saved_text', ['saved', '%'], 'saved', ({ share }) => savedText(share)),
  textColumn('median_text', ['median', '% per run'], 'saved', ({ medianShare }) => savedText(medianShare)),
  dataColumn('runs', 'count', ({ runs }) => runs),
  ...(['rawTokens', 'compactTokens'] as const).map((name) =>
    dataColumn<SavingRow>(name, 'estimated tokens', (row) => row[name]),
  ),
  dataColumn('share', 'share saved', ({ share }) => share),
  dataColumn('medianShare', 'share saved, median over runs', ({ medianShare }) => medianShare),
]

const estimateNote: Note = {
  text: 'Output is what the tools printed, reports are what their stages passed on instead. Both are estimated at 4 characters a token. They are tokens of tools, not of the bill: what an agent was sent is in tokens above. Saved: 1 - reports / output over the sums; below 0 the reports are longer than the output.',
}
