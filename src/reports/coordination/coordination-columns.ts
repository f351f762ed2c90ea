import type { MethodCoordination, Overhead, PerTrial } from '../../analysis/coordination/coordination.ts'
import { type SpendingKind, spendingKinds } from '../../analysis/coordination/spending-kinds.ts'
import { type ColumnOf, dataColumn, labelColumn, simulatedColumn, textColumn } from '../tables/table.ts'
import { formatCount, formatMs, formatShare, formatSigned, nothing, unknown } from '../words/numbers.ts'

type Column = ColumnOf<MethodCoordination>

const formatOrUnknown = (value: number | null, format: (value: number) => string) =>
  value === null ? unknown : format(value)

/** Returns the label columns of every table of coordination. */
function labelColumns(rows: readonly MethodCoordination[], simulated: boolean): Column[] {
  const several = new Set(rows.map(({ agents }) => agents)).size > 1
  return [
    labelColumn('method', 'method', ({ method }) => method),
    {
      ...labelColumn<MethodCoordination>('agents', 'agents', ({ agents }) => agents),
      audience: several ? 'all' : 'data',
    },
    simulatedColumn(simulated),
  ]
}

/** Returns the columns of effort, and of overhead above the baseline for each measure. */
export function overheadColumns(rows: readonly MethodCoordination[], simulated: boolean): Column[] {
  const compared = rows.some(({ overhead }) => overhead !== null)
  const above = (name: Overhead, heading: string): Column[] =>
    compared
      ? [
          textColumn(
            `${name}_overhead_text`,
            [heading, '% above'],
            'overhead',
            ({ overhead, isBaseline }) => {
              if (!overhead) return isBaseline ? 'baseline' : nothing
              return formatOrUnknown(overhead[name], formatSigned)
            },
          ),
        ]
      : []
  const mean = (name: PerTrial, heading: string, format: (value: number) => string = formatCount) =>
    textColumn<MethodCoordination>(`${name}_text`, [heading, '/trial'], 'effort', ({ perTrial }) =>
      formatOrUnknown(perTrial[name], format),
    )
  return [
    ...labelColumns(rows, simulated),
    ...above('tokens', 'tokens'),
    ...above('calls', 'calls'),
    ...above('turns', 'turns'),
    ...above('costUsd', 'cost'),
    ...above('pathMs', 'time'),
    mean('turns', 'turns'),
    mean('checks', 'checks'),
    mean('messages', 'messages'),
    mean('workMs', 'all work', formatMs),
    mean('pathMs', 'longest chain', formatMs),
    textColumn('parallelism_text', ['side by side', 'times'], 'effort', ({ parallelism }) =>
      formatOrUnknown(parallelism, (value) => value.toFixed(2)),
    ),
    dataColumn('trials', 'trials', ({ trials }) => trials),
    ...(['tokens', 'costUsd', 'calls', 'turns', 'checks', 'messages', 'workMs', 'pathMs'] as const).map(
      (name) => dataColumn<MethodCoordination>(name, 'mean per trial', ({ perTrial }) => perTrial[name]),
    ),
    ...(['tokens', 'calls', 'turns', 'costUsd', 'pathMs'] as const).map((name) =>
      dataColumn<MethodCoordination>(
        `${name}_overhead`,
        'percent',
        ({ overhead }) => overhead?.[name] ?? null,
      ),
    ),
    dataColumn('parallelism', 'work / longest chain', ({ parallelism }) => parallelism),
    ...spendingKinds.map((kind) =>
      dataColumn<MethodCoordination>(
        `share_${kind.replace('-', '_')}`,
        'share of tokens',
        ({ shares }) => shares?.[kind] ?? null,
      ),
    ),
    ...(['requestKept', 'messageKept', 'summaryLost'] as const).map((name) =>
      dataColumn<MethodCoordination>(name, 'share', (row) => row[name]),
    ),
  ]
}

/** Returns the columns of token shares, and of the shares of messages that were kept. */
export function shareColumns(rows: readonly MethodCoordination[], simulated: boolean): Column[] {
  const headings: Record<SpendingKind, string> = {
    work: 'work',
    'hand-off': 'hand-off',
    summary: 'summaries',
    vote: 'votes',
    judging: 'judging',
    orchestration: 'orchestr.',
    repair: 'repair',
  }
  return [
    ...labelColumns(rows, simulated),
    ...spendingKinds.map((kind) =>
      textColumn<MethodCoordination>(`${kind}_text`, [headings[kind], '% tokens'], 'shares', ({ shares }) =>
        formatOrUnknown(shares?.[kind] ?? null, formatShare),
      ),
    ),
    ...(
      [
        ['requestKept', 'request', '% kept'],
        ['messageKept', 'messages', '% kept'],
        ['summaryLost', 'summaries', '% lost'],
      ] as const
    ).map(([name, heading, unit]) =>
      textColumn<MethodCoordination>(`${name}_text`, [heading, unit], 'kept', (row) => {
        const share = row[name]
        return share === null ? nothing : formatShare(share)
      }),
    ),
  ]
}

/** Context of one role of one method. */
interface RoleContext {
  method: string
  agents: string
  context: MethodCoordination['context'][number]
}

/** Returns the columns of the input of each role: whether contexts grow from ask to ask. */
export function contextColumns(simulated: boolean): ColumnOf<RoleContext>[] {
  const tokens = (name: 'first' | 'last' | 'peak') =>
    textColumn<RoleContext>(`${name}_text`, [name, 'input tokens'], 'context', ({ context }) =>
      formatCount(Math.round(context[name])),
    )
  return [
    labelColumn('method', 'method', ({ method }) => method),
    { ...labelColumn<RoleContext>('agents', 'agents', ({ agents }) => agents), audience: 'data' },
    labelColumn('role', 'role', ({ context }) => context.role),
    simulatedColumn(simulated),
    textColumn('asks_text', ['asks', '/trial'], 'context', ({ context }) => formatCount(context.asks)),
    tokens('first'),
    tokens('last'),
    tokens('peak'),
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
}
