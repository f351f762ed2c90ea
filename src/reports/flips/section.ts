import { evidenceOf } from '../../analysis/evidence.ts'
import type { FlakyTask, Flips, MethodSides, NamedTask, PairSides, TaskTrials } from '../../analysis/flips.ts'
import { shellWord } from '../../text/shell-word.ts'
import {
  type ColumnOf,
  createTable,
  labelColumn,
  type Note,
  type Section,
  textColumn,
} from '../tables/table.ts'
import { formatCount, listed, nothing, present } from '../words/numbers.ts'

/** The section on tasks that changed sides; its data is whole, its tables are not. */
export interface FlipsSection extends Section {
  data: Flips
}

/** Tasks that a table for people names at most. */
const most = 20
/** A cell names at most this many trials, or two and the number of the others. */
const mostTrials = 3
/** Characters of an id that `bench show` finds it by, as in its list of trials. */
const idLength = 12

/** Whether the trials are simulated, their run folders, and the command that prints the section as text. */
interface Origin {
  simulated: boolean
  recorded?: unknown
  runs: readonly string[]
  command: string
}

/** Creates the section. */
export function flipsSection(flips: Flips, origin: Origin): FlipsSection {
  const { mark } = evidenceOf(origin)
  const changed = changedOf(flips)
  const flaky = flips.methods.map(({ label, flaky }) => flaky.map((task) => ({ method: label, ...task })))
  const count = (lists: readonly unknown[][]) => lists.reduce((sum, list) => sum + list.length, 0)
  const table = <Row>(title: string, columns: readonly ColumnOf<Row>[], rows: readonly Row[]) =>
    rows.length > 0 && { ...createTable(`${title}${mark}`, columns, rows, []), isSplit: true }
  const places = placeColumns(flips)
  const { notes } = createTable(
    '',
    [],
    [],
    notesOf(flips, { changed: count(changed), flaky: count(flaky) }, origin),
  )
  return {
    name: 'flips',
    tables: present([
      table('Tasks by who solves them', pairColumns(flips), flips.pairs),
      table('Tasks that changed sides between two methods', changedColumns(places), firstOf(changed)),
      table('Sides of each method', methodColumns, flips.methods),
      table('Flaky tasks within one method', flakyColumns(places), firstOf(flaky)),
    ]),
    notes,
    data: flips,
  }
}

interface ChangedTask extends NamedTask {
  solver: string
  other: string
  solved: TaskTrials
  unsolved: TaskTrials
}

/** Returns the tasks that changed sides, a list for each pair and direction. */
const changedOf = ({ pairs }: Flips): ChangedTask[][] =>
  pairs.flatMap(({ a, b, onlyA, onlyB }) => [
    onlyA.map((task) => ({ ...task, solver: a, other: b, solved: task.a, unsolved: task.b })),
    onlyB.map((task) => ({ ...task, solver: b, other: a, solved: task.b, unsolved: task.a })),
  ])

/** Returns the first rows of all lists, in turn, so that a long list does not hide the others. */
function firstOf<Row>(lists: readonly (readonly Row[])[]): Row[] {
  const all = lists.flatMap((list, at) => list.slice(0, most).map((row, place) => ({ row, place, at })))
  const first = all.sort((one, other) => one.place - other.place).slice(0, most)
  return first.sort((one, other) => one.at - other.at).map(({ row }) => row)
}

const number = <Row>(key: string, heading: string, value: (row: Row) => number) =>
  textColumn<Row>(key, [heading, ''], key, (row) => formatCount(value(row)))

const pairColumns = ({ methods }: Flips): ColumnOf<PairSides>[] =>
  present([
    labelColumn('a', 'first', ({ a }) => a),
    labelColumn('b', 'second', ({ b }) => b),
    number('both', 'both', ({ both }) => both),
    number('only_a', 'only first', ({ onlyA }) => onlyA.length),
    number('only_b', 'only second', ({ onlyB }) => onlyB.length),
    number('neither', 'neither', ({ neither }) => neither),
    number('ties', 'tie', ({ ties }) => ties.length),
    number('untestable', 'untestable', ({ untestable }) => untestable),
    // With one trial of each task, it is who solves it alone.
    methods.some(({ repeated }) => repeated > 0) &&
      textColumn(
        'higher',
        ['higher share', 'first : second'],
        'higher',
        ({ higherA, higherB }) => `${formatCount(higherA.length)} : ${formatCount(higherB.length)}`,
      ),
  ])

const methodColumns: ColumnOf<MethodSides>[] = [
  labelColumn('method', 'method', ({ label }) => label),
  number('solved', 'solved', ({ solved }) => solved),
  number('failed', 'failed', ({ failed }) => failed),
  number('ties', 'tie', ({ ties }) => ties),
  number('untestable', 'untestable', ({ untestable }) => untestable),
  textColumn('flaky', ['flaky', 'of repeated'], 'flaky', ({ flaky, repeated }) =>
    repeated === 0 ? nothing : `${formatCount(flaky.length)} of ${formatCount(repeated)}`,
  ),
  number('missing', 'missing trials', ({ missing }) => missing),
]

const changedColumns = (places: readonly ColumnOf<NamedTask>[]): ColumnOf<ChangedTask>[] => [
  ...places,
  labelColumn('solver', 'solved by', ({ solver }) => solver),
  textColumn('solver_passed', ['passed', ''], 'solver', ({ solved }) => passedText(solved)),
  { ...textColumn('other', ['not by', ''], 'other', ({ other }) => other), align: 'left' },
  textColumn('other_passed', ['passed', ''], 'other', ({ unsolved }) => passedText(unsolved)),
  idColumn('solver_trials', 'its trials', ({ solved: { trials } }) => [...trials.passed, ...trials.failed]),
  idColumn('other_trials', "the other's trials", ({ unsolved: { trials } }) => [
    ...trials.failed,
    ...trials.passed,
  ]),
]

const flakyColumns = (places: readonly ColumnOf<NamedTask>[]): ColumnOf<FlakyTask & { method: string }>[] => [
  labelColumn('method', 'method', ({ method }) => method),
  ...places,
  textColumn('passed', ['passed', ''], 'flaky', passedText),
  textColumn('side', ['side', ''], 'flaky', ({ side }) => side),
  idColumn('passed_trials', 'passed', ({ trials }) => trials.passed),
  idColumn('failed_trials', 'failed', ({ trials }) => trials.failed),
]

/** Returns the columns that name a task: its suite is in its name, its cluster not. */
const placeColumns = ({ pairs, methods }: Flips): ColumnOf<NamedTask>[] =>
  present([
    labelColumn('task', 'task', ({ task }) => task),
    [
      ...methods.flatMap(({ flaky }) => flaky),
      ...pairs.flatMap(({ onlyA, onlyB }) => [...onlyA, ...onlyB]),
    ].some(({ cluster }) => cluster !== undefined) &&
      labelColumn('cluster', 'cluster', ({ cluster = nothing }) => cluster),
  ])

const passedText = ({ passed, graded, missing }: TaskTrials): string =>
  `${passed}/${graded}${missing > 0 ? `, ${missing} missing` : ''}`

const idColumn = <Row>(
  key: string,
  heading: string,
  ids: (row: Row) => readonly string[],
): ColumnOf<Row> => ({
  ...textColumn(key, [heading, ''], 'trials', (row) => idsText(ids(row))),
  align: 'left',
})

function idsText(ids: readonly string[]): string {
  const shown = ids.slice(0, ids.length > mostTrials ? mostTrials - 1 : mostTrials)
  const left = ids.length - shown.length
  return present([...shown.map((id) => id.slice(0, idLength)), left > 0 && `+${left}`]).join(' ')
}

function notesOf(
  { methods, pairs }: Flips,
  counts: { changed: number; flaky: number },
  { runs, command }: Origin,
): Note[] {
  const { changed, flaky } = counts
  const isRepeated = methods.some(({ repeated }) => repeated > 0)
  const lacking = methods.filter(({ missing }) => missing > 0)
  const left = present([
    changed > most && `${formatCount(changed - most)} more changed sides`,
    flaky > most && `${formatCount(flaky - most)} more are flaky`,
  ])
  const texts = present([
    pairs.length > 0 && changed === 0 && 'No task changed sides.',
    isRepeated
      ? flaky === 0 && 'No task is flaky.'
      : 'No method has two graded trials of a task, so no flaky task can be seen.',
    lacking.length > 0 &&
      `Planned trials without a grade, which are not failed ones: ${listed(lacking.map(({ label, missing }) => `${label} ${formatCount(missing)}`))}.`,
    'A method solves a task if more than half of its planned trials passed, and fails it if more than half failed. Half and half is a tie, on no side. A task is untestable where missing trials could turn the side.',
    isRepeated &&
      pairs.length > 0 &&
      'Higher share: tasks on which one passed a higher share of its graded trials, whatever the sides.',
    isRepeated && 'A task is flaky where a method passed in some graded trials and failed in others.',
  ])
  return [
    ...(left.length > 0 ? [{ text: `${listed(left)}:`, commands: [`${command} --format json`] }] : []),
    ...texts.map((text) => ({ text })),
    {
      text: 'One trial as a story, by the beginning of its id:',
      commands: runs.map((run) => `bench show ${shellWord(run)} TRIAL`),
    },
  ]
}
