import type { BracketedMethod, BracketValue } from '../../analysis/bracket.ts'
import { evidenceOf, type KindFacts } from '../../analysis/evidence.ts'
import type { Bracket } from '../../schema/run/run.ts'
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
import {
  formatCount,
  formatPercent,
  formatShare,
  formatSigned,
  formatUsd,
  nothing,
  ratioText,
  unknown,
} from '../words/numbers.ts'
import { formatDifference } from '../words/result-text.ts'

type Column = ColumnOf<BracketedMethod>
type Place = keyof NonNullable<BracketedMethod['values']>

/** Creates the section that places methods which ask several agents between these agents alone. */
export function bracketSection(rows: readonly BracketedMethod[], kind: KindFacts): Section {
  const { mark } = evidenceOf(kind)
  const labels = [
    labelColumn<BracketedMethod>('method', 'method', ({ method }) => method),
    simulatedColumn(kind),
  ]
  return {
    name: 'bracket',
    tables: [
      createTable(
        `Between the cheapest and the dearest agent: success${mark}`,
        [...labels, ...successColumns],
        rows,
        [],
      ),
      createTable(
        `Between the cheapest and the dearest agent: cost${mark}`,
        [...labels, ...costColumns],
        rows,
        [],
      ),
      createTable(`Against the best agent alone${mark}`, [...labels, ...regretColumns], rows, []),
    ],
    notes: [...rows.map((row) => ({ text: endsText(row) })), { text: definition }],
    data: rows,
  }
}

/** Says which agents are the ends of a bracket, and how that was decided. */
export function endsText({ method, by, agents }: Bracket): string {
  const [low, high] = [agents[0], agents.at(-1)].map((one) => one && `${shortName(one.agent)} (${one.row})`)
  const how =
    by === 'prices'
      ? 'by the prices known before the run, for as many tokens in as out'
      : 'by the order of its roles, since not every price was known before the run'
  return `${method}: the cheapest agent is ${low}, the dearest ${high}, ${how}.`
}

const places: readonly [Place, readonly [string, string]][] = [
  ['cheapest', ['cheapest', 'alone']],
  ['method', ['method', '']],
  ['dearest', ['dearest', 'alone']],
  ['hindsight', ['each task', 'its agent']],
]

const valueColumns = (field: keyof BracketValue, format: (value: number) => string): Column[] =>
  places.map(([place, heading]) =>
    textColumn(`${place}_${field}_text`, [...heading], field, ({ values }) => {
      const value = values?.[place][field]
      return value === undefined ? nothing : value === null ? unknown : format(value)
    }),
  )

const betweenColumn = (field: keyof BracketValue): Column =>
  textColumn(`between_${field}_text`, ['between', '%'], field, ({ between }) =>
    between[field] === null ? nothing : formatShare(between[field]),
  )

const dataColumns = (field: keyof BracketValue, unit: string): Column[] => [
  ...places.map(([place]) =>
    dataColumn<BracketedMethod>(`${place}_${field}`, unit, ({ values }) => values?.[place][field] ?? null),
  ),
  dataColumn<BracketedMethod>(`between_${field}`, 'share', ({ between }) => between[field]),
]

const successColumns: Column[] = [
  textColumn('tasks_text', ['tasks', ''], 'success', ({ tasks }) => formatCount(tasks)),
  ...valueColumns('success', formatPercent),
  betweenColumn('success'),
  textColumn('to_bound_text', ['to bound', 'points'], 'success', ({ values }) =>
    values ? formatSigned(100 * (values.method.success - values.hindsight.success)) : nothing,
  ),
  dataColumn('tasks', 'count', ({ tasks }) => tasks),
  ...dataColumns('success', 'share'),
]

const costColumns: Column[] = [
  ...valueColumns('costUsd', formatUsd),
  betweenColumn('costUsd'),
  textColumn('bound_ratio_text', ['of bound', ''], 'costUsd', ({ values }) => {
    const [own, bound] = [values?.method.costUsd, values?.hindsight.costUsd]
    return own == null || !bound ? nothing : ratioText(own / bound)
  }),
  ...dataColumns('costUsd', 'USD per trial, list price'),
]

const regretColumns: Column[] = [
  labelColumn('best_alone', 'best alone', ({ regret }) => regret?.best ?? nothing),
  textColumn('regret_interval_text', ['regret', 'points [95%]'], 'regret', ({ regret }) =>
    regret === null ? nothing : formatDifference(regret, { scale: 100, decimals: 1 }),
  ),
  textColumn('gained_text', ['gained', 'tasks'], 'regret', ({ regret }) =>
    regret === null ? nothing : formatCount(regret.gained),
  ),
  textColumn('lost_text', ['lost', 'tasks'], 'regret', ({ regret }) =>
    regret === null ? nothing : formatCount(regret.lost),
  ),
  dataColumn('regret', 'share', ({ regret }) => regret?.estimate ?? null),
  dataColumn('regret_lower', 'share', ({ regret }) => regret?.lower ?? null),
  dataColumn('regret_upper', 'share', ({ regret }) => regret?.upper ?? null),
  dataColumn('gained', 'count', ({ regret }) => regret?.gained ?? null),
  dataColumn('lost', 'count', ({ regret }) => regret?.lost ?? null),
]

const definition =
  'Between: 0 is the cheapest agent alone, 100 the dearest; a method can be outside. Each task its agent: the agent that passed a task most often, the cheapest of equal ones. Nobody knows it before, so it is a bound, and with few epochs it takes luck for skill. All means are over the tasks that were graded for the method and for each of its agents alone. Regret: how much more the best agent alone passes, which is known only afterwards; its limits hold for all agents of the method together, so they allow for that choice. Gained and lost: tasks on which the method passes more and less often than that agent.'
