import type { AgentContext } from '../../analysis/machine/agent-contexts.ts'
import type { MachineSums } from '../../analysis/machine/machine-sums.ts'
import type { Summary } from '../../analysis/summary.ts'
import { createTable, type Note, type Section, type Table } from '../tables/table.ts'
import { counted } from '../words/numbers.ts'
import {
  deliveredColumns,
  type OfMethod,
  scoreColumns,
  stateColumns,
  transitionColumns,
  windowColumns,
} from './machine-columns.ts'
import { levelText } from './words.ts'

/** Paths that are shown for each method. */
const mostPaths = 5

/** Creates the section on workflows of states; undefined if no method ran one. */
export function machineSection(
  { methods, simulated }: Pick<Summary, 'methods' | 'simulated'>,
  windows: readonly AgentContext[],
): Section | undefined {
  const own = methods.flatMap(({ method, set, machine }) =>
    machine ? [{ name: rowName(method, set), machine }] : [],
  )
  if (own.length === 0) return undefined
  const mark = simulated ? ' (simulated)' : ''
  const rowsOf = <Row>(rows: (machine: MachineSums) => readonly Row[]): OfMethod<Row>[] =>
    own.flatMap(({ name, machine }) => rows(machine).map((row) => ({ ...row, name })))
  const scores = rowsOf((machine) => machine.scores)
  const delivered = rowsOf((machine) => machine.delivered)
  const contexts = windows.map((one) => ({ ...one, name: rowName(one.method, one.set) }))
  const table = <Row>(
    title: string,
    columns: Parameters<typeof createTable<Row>>[1],
    rows: Row[],
  ): Table[] => (rows.length === 0 ? [] : [createTable(`${title}${mark}`, columns, rows, [])])
  return {
    name: 'contextWindows',
    tables: [
      ...table(
        'Workflows: states',
        stateColumns(simulated),
        rowsOf(({ states }) => states),
      ),
      ...table(
        'Workflows: transitions',
        transitionColumns(simulated),
        rowsOf((machine) => machine.transitions),
      ),
      ...table('Workflows: scores by criterion', scoreColumns(simulated), scores),
      ...table('Workflows: context windows', windowColumns(simulated), contexts),
      ...table('Workflows: what was handed in', deliveredColumns(simulated), delivered),
    ],
    notes: [
      ...own.flatMap(({ name, machine }) => [...pathNotes(name, machine), ...leftOutNote(name, machine)]),
      ...(scores.length > 0 ? [agreementNote] : []),
      ...adviceNotes(contexts),
      ...(contexts.length > 0 ? [windowNote] : []),
    ],
    data: windows,
  }
}

const rowName = (method: string, set: string | null) => (set === null ? method : `${method}@${set}`)

function leftOutNote(name: string, { paths, trials, delivered }: MachineSums): Note[] {
  const others = paths.length - mostPaths
  return [
    ...(others > 0
      ? [{ text: `${name}: ${counted(others, 'rarer path')} left out; bench show RUN --transitions.` }]
      : []),
    ...(delivered.length > 0 && delivered.length < trials
      ? [
          {
            text: `${name}: what ${counted(delivered.length, 'trial')} of ${trials} handed in; the others are in bench show RUN TRIAL.`,
          },
        ]
      : []),
  ]
}

const agreementNote: Note = {
  text: "Agreement is Krippendorff's alpha for intervals over the outputs that several auditors scored: 1 is perfect, 0 is chance, below 0 is worse than chance. From 0.8 on scores are usually called reliable.",
}

const windowNote: Note = {
  text: "A window's use is the largest prompt that the agent got in any trial, caches included.",
}

function pathNotes(name: string, { paths }: MachineSums): Note[] {
  return paths.slice(0, mostPaths).map(({ path, trials }) => ({
    text: `${name}, path of ${counted(trials, 'trial')}: ${path.join(' > ')}.`,
  }))
}

/** Returns a note for each advice, with the agents that it is for. */
function adviceNotes(contexts: readonly OfMethod<AgentContext>[]): Note[] {
  const agents = new Map<string, string[]>()
  for (const context of contexts) {
    if (context.level === 'healthy') continue
    const advice = `context window ${levelText(context)}. ${context.advice}`
    agents.set(advice, [...(agents.get(advice) ?? []), `${context.name}/${context.role}`])
  }
  return [...agents].map(([advice, names]) => ({ text: `${names.join(', ')}: ${advice}` }))
}
