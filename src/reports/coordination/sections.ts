import type { MethodCoordination, Overhead, PerTrial } from '../../analysis/coordination/coordination.ts'
import type { MethodErrorFlow } from '../../analysis/coordination/error-flow.ts'
import { type SpendingKind, spendingKinds } from '../../analysis/coordination/trial-coordination.ts'
import { evidenceOf, type KindFacts } from '../../analysis/evidence.ts'
import {
  type ColumnOf,
  createTable,
  dataColumn,
  labelColumn,
  type Section,
  simulatedColumn,
  textColumn,
} from '../tables/table.ts'
import {
  formatCount,
  formatMs,
  formatPart,
  formatShare,
  formatSigned,
  nothing,
  unknown,
} from '../words/numbers.ts'

type Column = ColumnOf<MethodCoordination>

/** Creates the section on coordination of agents. */
export function coordinationSection(rows: readonly MethodCoordination[], kind: KindFacts): Section {
  const { mark } = evidenceOf(kind)
  const labels = labelColumns(rows, kind)
  const roles = rows.flatMap(({ method, agents, context }) =>
    context.map((context) => ({ method, agents, context })),
  )
  return {
    name: 'coordination',
    tables: [
      createTable(
        `Coordination: effort, and overhead against the baseline${mark}`,
        [...labels, ...overheadColumns(rows, kind)],
        rows,
        [],
      ),
      createTable(
        `On what the tokens went, and what came through${mark}`,
        [...labels, ...shareColumns()],
        rows,
        [],
      ),
      createTable(`Context by role${mark}`, contextColumns(kind), roles, []),
    ],
    notes: [
      {
        text: 'Measured from the prompts and replies in the ledger: messages are earlier replies of other agents that appear in a prompt, found line by line; hand-off is their part of the input of a producing role. Spending of graders is not included.',
      },
    ],
    data: rows,
  }
}

function labelColumns<Row extends { method: string; agents: string }>(
  rows: readonly Row[],
  kind: KindFacts,
): ColumnOf<Row>[] {
  const several = new Set(rows.map(({ agents }) => agents)).size > 1
  return [
    labelColumn('method', 'method', ({ method }) => method),
    { ...labelColumn('agents', 'agents', ({ agents }) => agents), audience: several ? 'all' : 'data' },
    simulatedColumn(kind),
  ]
}

const formatOrUnknown = (value: number | null, format: (value: number) => string) =>
  value === null ? unknown : format(value)

const measures = ['tokens', 'costUsd', 'calls', 'turns', 'checks', 'messages', 'workMs', 'pathMs'] as const
const overheads = { tokens: 'tokens', calls: 'calls', turns: 'turns', costUsd: 'cost', pathMs: 'time' }
const kept = ['requestKept', 'messageKept', 'summaryLost'] as const

function overheadColumns(rows: readonly MethodCoordination[], { recorded }: KindFacts): Column[] {
  const compared = rows.some(({ overhead }) => overhead !== null)
  // The time of recorded replies is unknown.
  const names = (Object.entries(overheads) as [Overhead, string][]).filter(
    ([name]) => !(recorded && name === 'pathMs'),
  )
  const timed = (columns: readonly Column[]) => (recorded ? [] : columns)
  const above = ([name, heading]: [Overhead, string]): Column =>
    textColumn(`${name}_overhead_text`, [heading, '% above'], 'overhead', ({ overhead, isBaseline }) => {
      if (!overhead) return isBaseline ? 'baseline' : nothing
      return formatOrUnknown(overhead[name], formatSigned)
    })
  const mean = (name: PerTrial, heading: string, format: (value: number) => string = formatCount): Column =>
    textColumn(`${name}_text`, [heading, '/trial'], 'effort', ({ perTrial }) =>
      formatOrUnknown(perTrial[name], format),
    )
  return [
    ...(compared ? names.map(above) : []),
    mean('turns', 'turns'),
    mean('checks', 'checks'),
    mean('messages', 'messages'),
    ...timed([
      mean('workMs', 'all work', formatMs),
      mean('pathMs', 'longest chain', formatMs),
      textColumn('parallelism_text', ['side by side', 'times'], 'effort', ({ parallelism }) =>
        formatOrUnknown(parallelism, (value) => value.toFixed(2)),
      ),
    ]),
    dataColumn('trials', 'trials', ({ trials }) => trials),
    ...measures
      .filter((name) => !(recorded && name.endsWith('Ms')))
      .map((name): Column => dataColumn(name, 'mean per trial', ({ perTrial }) => perTrial[name])),
    ...names.map(
      ([name]): Column =>
        dataColumn(`${name}_overhead`, 'percent', ({ overhead }) => overhead?.[name] ?? null),
    ),
    ...timed([dataColumn('parallelism', 'work / longest chain', ({ parallelism }) => parallelism)]),
    ...spendingKinds.map(
      (kind): Column =>
        dataColumn(
          `share_${kind.replace('-', '_')}`,
          'share of tokens',
          ({ shares }) => shares?.[kind] ?? null,
        ),
    ),
    ...kept.map((name): Column => dataColumn(name, 'share', (row) => row[name])),
  ]
}

const kindHeadings: Record<SpendingKind, string> = {
  work: 'work',
  'hand-off': 'hand-off',
  summary: 'summaries',
  vote: 'votes',
  judging: 'judging',
  orchestration: 'orchestr.',
  repair: 'repair',
}

const keptHeadings: Record<(typeof kept)[number], [string, string]> = {
  requestKept: ['request', '% kept'],
  messageKept: ['messages', '% kept'],
  summaryLost: ['summaries', '% lost'],
}

const shareColumns = (): Column[] => [
  ...spendingKinds.map(
    (kind): Column =>
      textColumn(`${kind}_text`, [kindHeadings[kind], '% tokens'], 'shares', ({ shares }) =>
        formatOrUnknown(shares?.[kind] ?? null, formatShare),
      ),
  ),
  ...kept.map(
    (name): Column =>
      textColumn(`${name}_text`, keptHeadings[name], 'kept', ({ [name]: share }) =>
        share === null ? nothing : formatShare(share),
      ),
  ),
]

interface RoleContext {
  method: string
  agents: string
  context: MethodCoordination['context'][number]
}

const contextColumns = (kind: KindFacts): ColumnOf<RoleContext>[] => [
  labelColumn('method', 'method', ({ method }) => method),
  { ...labelColumn('agents', 'agents', ({ agents }) => agents), audience: 'data' },
  labelColumn('role', 'role', ({ context }) => context.role),
  simulatedColumn(kind),
  textColumn('asks_text', ['asks', '/trial'], 'context', ({ context }) => formatCount(context.asks)),
  ...(['first', 'last', 'peak'] as const).map(
    (name): ColumnOf<RoleContext> =>
      textColumn(`${name}_text`, [name, 'input tokens'], 'context', ({ context }) =>
        formatCount(Math.round(context[name])),
      ),
  ),
  textColumn('growth_text', ['grows', 'last / first'], 'context', ({ context }) =>
    formatOrUnknown(context.growth, (growth) => growth.toFixed(2)),
  ),
  ...(['asks', 'first', 'last', 'peak', 'growth'] as const).map((name) =>
    dataColumn<RoleContext>(
      name,
      name === 'asks' ? 'mean per trial' : name === 'growth' ? 'ratio' : 'input tokens',
      ({ context }) => context[name],
    ),
  ),
]

/** Counts of the table of error flow with what each is a share of. */
const flows = [
  ['right_text', ['right', 'of candidates'], 'right', 'candidates'],
  ['oracle_text', ['had it right', 'of trials'], 'withRight', 'trials'],
  ['lost_text', ['oracle gap', 'of trials'], 'lost', 'trials'],
  ['right_to_wrong_text', ['right to wrong', 'of hand-offs'], 'rightToWrong', 'handOffs'],
  ['wrong_to_right_text', ['wrong to right', 'of hand-offs'], 'wrongToRight', 'handOffs'],
  ['conformed_text', ['conformed', 'of dissenters'], 'conformed', 'against'],
] as const

const counts = [
  ...(['trials', 'candidates', 'right', 'withRight', 'lost', 'found'] as const),
  ...(['handOffs', 'rightToWrong', 'wrongToRight', 'against', 'conformed'] as const),
]

/** Creates the section on the flow of right and wrong candidates. */
export function errorFlowSection(rows: readonly MethodErrorFlow[], kind: KindFacts): Section {
  const columns: ColumnOf<MethodErrorFlow>[] = [
    ...labelColumns(rows, kind),
    ...flows.map(([key, [heading, unit], part, whole]) =>
      textColumn<MethodErrorFlow>(key, [heading, unit], 'flow', (row) => formatPart(row[part], row[whole])),
    ),
    ...counts.map((name) => dataColumn<MethodErrorFlow>(name, 'count', (row) => row[name])),
  ]
  return {
    name: 'errorFlow',
    tables: [createTable(`Error flow${evidenceOf(kind).mark}`, columns, rows, [])],
    notes: [
      {
        text: 'Candidates are the work of producing roles after each reply, and answers of other roles that were delivered or noted; they are graded after the trial. Oracle gap: a candidate was right, but the delivery was wrong. Hand-offs lead from a candidate to the one made from it.',
      },
    ],
    data: rows,
  }
}
