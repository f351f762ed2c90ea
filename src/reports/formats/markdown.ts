import { type GateReport, gateLines } from '../gates/gate-report.ts'
import type { RenderOptions, Report } from '../report.ts'
import type { FirstScreen } from '../screen/first-screen.ts'
import { screenColumns, screenDetails } from '../screen/screen-columns.ts'
import type { Note, Table } from '../tables/table.ts'
import { present } from '../words/numbers.ts'
import { renderParts } from './render-parts.ts'

/** Renders the first screen and GitHub tables with their notes as a list. */
export function renderMarkdown(report: Report, shown: RenderOptions = {}): string {
  return renderParts(report, shown, { screen: renderScreen, section: renderSection })
}

/** Renders tables with their notes as a list. */
export function renderSection(tables: readonly Table[], notes: readonly Note[]): string {
  return `${[...tables.map(renderTable), notes.map(renderNote).join('\n')].join('\n\n')}\n`
}

function renderScreen(screen: FirstScreen): string {
  const { title, simulated, rows, sentences, warnings, commands } = screen
  const columns = screenColumns(screen, screenDetails[0])
  const hasAgents = rows.some(({ agents }) => agents !== null)
  const headings = present([
    'method',
    hasAgents && 'agents',
    ...columns.map(({ group, unit }) =>
      /^(?:per|ratio)/.test(unit) ? `${group} ${unit}` : unit === '' ? group : `${group} (${unit})`,
    ),
  ])
  const lines = [
    headings.map(escapeMarkdown),
    headings.map((_, i) =>
      columns[i - headings.length + columns.length]?.align === 'right' ? '---:' : ':---',
    ),
    ...rows.map(({ method, agents }, i) =>
      [method, ...(hasAgents ? [agents ?? ''] : []), ...columns.map(({ cells }) => cells[i] ?? '')].map(
        escapeMarkdown,
      ),
    ),
  ]
  const said = [...sentences, ...warnings.map((text) => ({ label: 'Warning', text }))]
  return `${present([
    `**${escapeMarkdown(title)}**`,
    simulated !== null && escapeMarkdown(simulated),
    rows.length !== 0 && tableOf(lines),
    said.map(({ label, text }) => `- **${label}**: ${escapeMarkdown(text)}`).join('\n'),
    commands.map(({ what, command }) => `${what}: ${renderCode(command)}`).join('; '),
  ]).join('\n\n')}\n`
}

const tableOf = (lines: readonly (readonly string[])[]) =>
  lines.map((line) => `| ${line.join(' | ')} |`).join('\n')

function renderTable({ title, columns: all, rows }: Table): string {
  const columns = all.filter((column) => column.audience !== 'data')
  const headings = columns.map(({ heading, unit }) => escapeMarkdown(unit ? `${heading} (${unit})` : heading))
  const rules = columns.map(({ align }) => (align === 'right' ? '---:' : ':---'))
  const cells = rows.map((row) => columns.map(({ key }) => escapeMarkdown(row[key]?.text ?? '')))
  return `**${escapeMarkdown(title)}**\n\n${tableOf([headings, rules, ...cells])}`
}

function renderNote({ text, commands = [] }: Note): string {
  const list = commands.map(renderCode).join(' and ')
  return `- ${escapeMarkdown(text)}${list ? ` ${list}` : ''}`
}

/** Escapes text for Markdown, also inside a table. Underscores inside words and lone brackets need no escape. */
function escapeMarkdown(text: string): string {
  const marked = text.replace(/[\\`*|~<>&]/g, '\\$&').replaceAll('](', ']\\(')
  // This expression is slow to compile, and most texts have no underscore.
  return marked.includes('_') ? marked.replace(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, '\\_') : marked
}

function renderCode(text: string): string {
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length))
  const fence = '`'.repeat(longest + 1)
  return longest > 0 ? `${fence} ${text} ${fence}` : `${fence}${text}${fence}`
}

/** A condition of `--fail-if` that held, with the value. */
export interface FailedCondition {
  text: string
  value: string
}

/**
 * Renders a run as Markdown for the summary of a CI step: the failed conditions, then the first screen. At most `mostBytes` of
 * UTF-8 in whole lines, because a longer summary would be discarded as a whole.
 */
export function renderStepSummary(
  report: Report,
  held: readonly FailedCondition[],
  mostBytes: number,
): string {
  const gates = held.map(
    ({ text, value }) => `- **failed**: ${escapeMarkdown(text)} (it is ${escapeMarkdown(value)})`,
  )
  const lines = [...gates, ...(gates.length > 0 ? [''] : []), renderMarkdown(report, { part: 'short' })]
  return shortenToBytes(
    `${lines.join('\n')}\n`,
    mostBytes,
    `\nThe rest is in ${escapeMarkdown(report.run)}.\n`,
  )
}

/** Renders the answers of gates for the summary of a CI step, in at most `mostBytes`. */
export function renderGateSummary(report: GateReport, mostBytes: number): string {
  const [title = '', ...lines] = gateLines(report)
  const items = lines.map((line) => {
    const text = escapeMarkdown(line.trimStart())
    return line.startsWith('    ') ? `  - ${text}` : `- ${text}`
  })
  return shortenToBytes(`**${escapeMarkdown(title)}**\n\n${items.join('\n')}\n\n`, mostBytes, '\n…\n')
}

function shortenToBytes(text: string, mostBytes: number, ending: string): string {
  if (Buffer.byteLength(text) <= mostBytes) return text
  const room = mostBytes - Buffer.byteLength(ending)
  const bytes = Buffer.from(text)
  const end = bytes.lastIndexOf('\n', Math.max(0, room - 1))
  return room <= 0 || end < 0 ? '' : `${bytes.toString('utf8', 0, end + 1)}${ending}`
}
