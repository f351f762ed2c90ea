import { shellWord } from '../../text/shell-word.ts'
import type { RenderOptions, Report } from '../report.ts'
import { type FirstScreen, firstScreen } from '../screen/first-screen.ts'
import { type Note, selectColumns, type Table } from '../tables/table.ts'
import { present } from '../words/numbers.ts'

interface PartRenderers {
  screen(screen: FirstScreen): string
  section(tables: readonly Table[], notes: readonly Note[]): string
}

/** Renders the parts of a report that the options name, in order. Notes that define words are left out unless asked for. */
export function renderParts(
  report: Report,
  { tasks = false, part = 'whole', definitions = false, columns, section: only, trial }: RenderOptions,
  { screen, section }: PartRenderers,
): string {
  const { run, methods, tasks: byTask, comparison, sections, flips } = report
  const shown = (notes: readonly Note[]) =>
    definitions ? notes : notes.filter(({ kind }) => kind !== 'definition')
  const render = (tables: readonly Table[], notes: readonly Note[]) => section(tables, shown(notes))
  if (columns) {
    const table = part === 'comparison' && comparison ? comparison.pairs : methods
    return render([selectColumns(table, columns)], table.notes)
  }
  const compared = comparison ? [...comparison.tables, ...(definitions ? comparison.details : [])] : []
  if (only !== undefined) {
    const [tables, notes] = sectionsOf(report, compared)[only] ?? []
    return tables && notes ? render(tables, notes) : screen(firstScreen(report))
  }
  const measured = () => sections.map((one) => render(one.tables, one.notes))
  if (part === 'short') return screen(withTrial(firstScreen(report), trial))
  if (part === 'sections') return measured().join('\n')
  if (part === 'flips' && flips) return render(flips.tables, flips.notes)
  if (part === 'interactions' && comparison?.interactions)
    return render([comparison.interactions], comparison.interactions.notes)
  if (part === 'properties' && comparison?.properties)
    return render([comparison.properties], comparison.properties.notes)
  if (part === 'comparison' && comparison) return render(compared, comparison.notes)
  return present([
    screen(withDefinitions(firstScreen(report), run, definitions)),
    render(present([detailsOf(methods), tasks && byTask]), methods.notes),
    comparison && render(compared, comparison.notes),
    ...measured(),
  ]).join('\n')
}

/** The tables and notes of each section but the first screen, by name. */
const sectionsOf = (
  { methods, tasks, comparison, sections }: Report,
  compared: readonly Table[] = comparison?.tables ?? [],
): Readonly<Record<string, readonly [readonly Table[], readonly Note[]]>> => ({
  methods: [[methods], methods.notes],
  tasks: [[tasks], tasks.notes],
  ...(comparison && { comparison: [compared, comparison.notes] }),
  ...Object.fromEntries(sections.map(({ name, tables, notes }) => [name, [tables, notes]])),
})

/** Returns the names of the sections that a report has, in their order. */
export const sectionNames = (report: Report): string[] => ['screen', ...Object.keys(sectionsOf(report))]

/** Replaces the command that shows all tables, which follow, by the one that explains them. */
function withDefinitions(screen: FirstScreen, run: string, definitions: boolean): FirstScreen {
  const commands = screen.commands.filter(({ command }) => !command.startsWith('bench report '))
  const explain = {
    what: 'what the words mean',
    command: `bench report ${shellWord(run)} --notes`,
    short: 'bench report RUN --notes',
  }
  return { ...screen, commands: definitions ? commands : [explain, ...commands] }
}

/** Names a trial in the command that shows one. */
const withTrial = (screen: FirstScreen, trial = 'TRIAL'): FirstScreen => ({
  ...screen,
  commands: screen.commands.map((one) => ({ ...one, command: one.command.replace(/ TRIAL$/, ` ${trial}`) })),
})

function detailsOf(methods: Table): Table {
  return {
    ...methods,
    title: 'Each method in detail',
    columns: methods.columns.filter(({ isOnScreen }) => !isOnScreen),
  }
}
