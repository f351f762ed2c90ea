import { evidenceOf, type KindFacts } from '../../analysis/evidence.ts'
import type { Summary } from '../../analysis/summary.ts'
import type { AgentContext } from '../../analysis/workflow/contexts.ts'
import type { MachineSums } from '../../analysis/workflow/sums.ts'
import { groupBy } from '../../base/grouping.ts'
import { rowName } from '../../schema/agent/agent-set.ts'
import { type ColumnOf, createTable, type Section, type Table } from '../tables/table.ts'
import { counted } from '../words/numbers.ts'
import {
  deliveredColumns,
  levelText,
  type OfMethod,
  scoreColumns,
  stateColumns,
  transitionColumns,
  windowColumns,
} from './columns.ts'

const mostPaths = 5

/** Creates the section on workflows of states; undefined if no method ran one. */
export function machineSection(
  { methods, ...kind }: Pick<Summary, 'methods' | 'simulated' | 'recorded'>,
  windows: readonly AgentContext[],
): Section | undefined {
  const own = methods.flatMap(({ method, set, machine }) =>
    machine ? [{ name: rowName(method, set), machine }] : [],
  )
  if (own.length === 0) return undefined
  const rowsOf = <Row>(rows: (machine: MachineSums) => readonly Row[]): OfMethod<Row>[] =>
    own.flatMap(({ name, machine }) => rows(machine).map((row) => ({ ...row, name })))
  const scores = rowsOf((machine) => machine.scores)
  const contexts = windows.map((one) => ({ ...one, name: rowName(one.method, one.set) }))
  const table = <Row>(title: string, columns: (kind: KindFacts) => ColumnOf<Row>[], rows: Row[]): Table[] => {
    const { mark } = evidenceOf(kind)
    return rows.length === 0 ? [] : [createTable(`Workflows: ${title}${mark}`, columns(kind), rows, [])]
  }
  return {
    name: 'contextWindows',
    tables: [
      ...table(
        'states',
        stateColumns,
        rowsOf(({ states }) => states),
      ),
      ...table(
        'transitions',
        transitionColumns,
        rowsOf((machine) => machine.transitions),
      ),
      ...table('scores by criterion', scoreColumns, scores),
      ...table('context windows', windowColumns, contexts),
      ...table(
        'what was handed in',
        deliveredColumns,
        rowsOf((machine) => machine.delivered),
      ),
    ],
    notes: [
      ...own.flatMap(({ name, machine }) => pathNotes(name, machine)),
      ...(scores.length > 0 ? [agreementNote] : []),
      ...adviceNotes(contexts),
      ...(contexts.length > 0 ? [windowNote] : []),
    ].map((text) => ({ text })),
    data: windows,
  }
}

function pathNotes(name: string, { paths, trials, delivered }: MachineSums): string[] {
  const others = paths.length - mostPaths
  return [
    ...paths
      .slice(0, mostPaths)
      .map((one) => `${name}, path of ${counted(one.trials, 'trial')}: ${one.path.join(' > ')}.`),
    ...(others > 0
      ? [`${name}: ${counted(others, 'rarer path')} left out; bench show RUN --transitions.`]
      : []),
    ...(delivered.length > 0 && delivered.length < trials
      ? [
          `${name}: what ${counted(delivered.length, 'trial')} of ${trials} handed in; the others are in bench show RUN TRIAL.`,
        ]
      : []),
  ]
}

const agreementNote =
  "Agreement is Krippendorff's alpha for intervals over the outputs that several auditors scored: 1 is perfect, 0 is chance, below 0 is less than chance. From 0.8 on scores are usually called reliable."

const windowNote = "A window's use is the largest prompt that the agent got in any trial, caches included."

function adviceNotes(contexts: readonly OfMethod<AgentContext>[]): string[] {
  const advised = groupBy(
    contexts.filter(({ level }) => level !== 'healthy'),
    (context) => `context window ${levelText(context)}. ${context.advice}`,
  )
  return [...advised].map(
    ([advice, agents]) => `${agents.map(({ name, role }) => `${name}/${role}`).join(', ')}: ${advice}`,
  )
}
