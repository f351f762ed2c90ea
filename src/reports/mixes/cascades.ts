import type { CascadeStep, MethodCascade, Share } from '../../analysis/cascades.ts'
import { evidenceOf, type KindFacts } from '../../analysis/evidence.ts'
import { rowName } from '../../schema/agent/agent-set.ts'
import {
  type ColumnOf,
  createTable,
  dataColumn,
  labelColumn,
  type Section,
  simulatedColumn,
  textColumn,
} from '../tables/table.ts'
import { shortName } from '../words/agents-text.ts'
import { formatCount, formatPart, formatShare, formatUsd, nothing, unknown } from '../words/numbers.ts'

/** A step with the row that it belongs to. */
type StepRow = CascadeStep & { name: string; trials: number; totalUsd: number | null }

/** Creates the section on what cascades did: how often they went on and for what, and what each step gave and cost. */
export function cascadesSection(rows: readonly MethodCascade[], kind: KindFacts): Section {
  const { mark } = evidenceOf(kind)
  const steps = rows.flatMap(stepRows)
  return {
    name: 'cascades',
    tables: [
      createTable(
        `Cascades: when they went on${mark}`,
        [nameColumn, simulatedColumn(kind), ...columns],
        rows,
        [],
      ),
      createTable(
        `Cascades: what each step gave and cost${mark}`,
        [...stepLabels, simulatedColumn(kind), ...stepColumns],
        steps,
        [],
      ),
    ],
    notes: [...rows.flatMap(sameAgentNote).map((text) => ({ text })), { text: definition }],
    data: rows,
  }
}

function stepRows(row: MethodCascade): StepRow[] {
  const totalUsd = row.steps.reduce<number | null>(
    (sum, { costUsd }) => (sum === null || costUsd === null ? null : sum + costUsd),
    0,
  )
  return row.steps.map((step) => ({
    ...step,
    name: rowName(row.method, row.set),
    trials: row.trials,
    totalUsd,
  }))
}

function sameAgentNote(row: MethodCascade): string[] {
  const agents = new Set(row.steps.flatMap(({ role, agent }) => (role === 'judge' ? [] : (agent ?? []))))
  const [only] = agents
  if (agents.size > 1 || only === undefined) return []
  return [
    `${rowName(row.method, row.set)}: all steps ask ${shortName(only)}, at one price: this shows what asking again does. Name an agent for each step, such as --agent step-1=A --agent step-2=B.`,
  ]
}

const shareText = ({ count, of }: Share) => formatPart(count, of)

const nameColumn = labelColumn<MethodCascade>('method', 'method', ({ method, set }) => rowName(method, set))

const shares = [
  ['escalated', ['went on', 'of decisions']],
  ['forNothing', ['for nothing', 'of these']],
  ['keptWrong', ['wrong', 'of kept']],
  ['rescued', ['made right', 'of wrong']],
  ['lost', ['made wrong', 'of right']],
] as const

const columns: ColumnOf<MethodCascade>[] = [
  labelColumn('until', 'until', ({ until }) => until),
  textColumn('trials_text', ['trials', ''], 'cascade', ({ trials }) => formatCount(trials)),
  ...shares.map(([name, heading]) =>
    textColumn<MethodCascade>(`${name}_text`, [...heading], 'cascade', ({ [name]: share }) =>
      shareText(share),
    ),
  ),
  dataColumn('trials', 'count', ({ trials }) => trials),
  ...shares.flatMap(([name]) => [
    dataColumn<MethodCascade>(name, 'count', ({ [name]: { count } }) => count),
    dataColumn<MethodCascade>(`${name}_of`, 'count', ({ [name]: { of } }) => of),
  ]),
]

const stepLabels: ColumnOf<StepRow>[] = [
  labelColumn('method', 'method', ({ name }) => name),
  labelColumn('step', 'step', ({ role }) => role),
  labelColumn('agent', 'agent', ({ agent }) => (agent === null ? nothing : shortName(agent))),
]

const isJudge = ({ role }: StepRow) => role === 'judge'

const stepColumns: ColumnOf<StepRow>[] = [
  textColumn('asked_text', ['asked', ''], 'step', ({ asked }) => formatCount(asked)),
  textColumn('failed_text', ['gave', 'nothing'], 'step', ({ failed }) => formatCount(failed)),
  textColumn('ended_text', ['ended here', 'of trials'], 'step', (row) =>
    isJudge(row) ? nothing : shareText({ count: row.ended, of: row.trials }),
  ),
  textColumn('right_text', ['right', 'of graded'], 'step', ({ right }) => shareText(right)),
  textColumn('cost_text', ['USD', ''], 'step', ({ costUsd }) =>
    costUsd === null ? unknown : formatUsd(costUsd),
  ),
  textColumn('cost_share_text', ['of bill', '%'], 'step', ({ costUsd, totalUsd }) =>
    costUsd === null || !totalUsd ? nothing : formatShare(costUsd / totalUsd),
  ),
  dataColumn('asked', 'count', ({ asked }) => asked),
  dataColumn('failed', 'count', ({ failed }) => failed),
  dataColumn('ended', 'count', ({ ended }) => ended),
  dataColumn('right', 'count', ({ right }) => right.count),
  dataColumn('graded', 'count', ({ right }) => right.of),
  dataColumn('cost_usd', 'USD', ({ costUsd }) => costUsd),
]

const definition =
  'Went on: the next step was asked. For nothing: an answer that was there already was right. Wrong of kept: trials that ended before the last step with a wrong answer. Made right, made wrong: trials that went on, by what they had before and what they handed in. Answers that were not handed in are graded after the trial by the same graders, at no cost for the method. Steps side by side end together, so the first alone ends none.'
