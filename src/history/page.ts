import { evidence } from '../analysis/evidence.ts'
import { documentHtml, figureHtml, navHtml, type PagePart, partHtml } from '../reports/html/document.ts'
import { escapeHtml, tableHtml, textHtml } from '../reports/html/html-text.ts'
import { type ColumnOf, labelColumn } from '../reports/tables/table.ts'
import { counted, present } from '../reports/words/numbers.ts'
import { historyCharts } from './charts.ts'
import type { HistoryLine } from './estimates.ts'
import type { HistoryData, HistoryGroup } from './history-data.ts'
import { lineColumns, tablesByKind } from './tables.ts'

/** The style sheets and modules of the page, among those of the report's page. */
export const historyAssets = {
  style: ['base.css', 'tables.css', 'figures.css'],
  script: ['values.mjs', 'dom.mjs', 'tables.mjs'],
} as const

/** More lines of runs than these make a page slow. */
const mostRecent = 60

interface Assets {
  style: string
  script: string
  scriptHash: string
}

/** Renders the charts of a history as one self-contained page. `hrefOf` returns the link to a run. */
export function renderHistoryPage(
  data: HistoryData,
  assets: Assets,
  hrefOf: (run: string) => string,
): string {
  const title = `${counted(data.runs, 'run')} in ${data.folder}`
  const nav = navHtml(historyParts(data, hrefOf))
  return documentHtml({
    ...assets,
    ...{ title: `History: ${title}`, skip: ['#main', 'Skip to the charts'] },
    header: [`<h1>${textHtml(`What all runs say: ${title}`)}</h1>`, nav],
    main: [`<div id="main">${historyBody(data, hrefOf)}</div>`],
    data: ['<script type="application/json" id="data">{}</script>'],
  })
}

const historyParts = (data: HistoryData, hrefOf: (run: string) => string): PagePart[] =>
  data.groups.flatMap((group) => partsOf(group, data.groups.length > 1, hrefOf))

/** Renders the main part of that page: notes, charts and tables. */
export function historyBody(data: HistoryData, hrefOf: (run: string) => string): string {
  const parts = historyParts(data, hrefOf)
  const notes = data.notes.map((text) => `<li>${textHtml(text)}</li>`)
  return present([
    navHtml(parts, ' class="on-phone"'),
    notes.length > 0 && `<ul class="warnings" aria-label="Notes">${notes.join('\n')}</ul>`,
    parts.length === 0 &&
      `<p>No trials here yet. Start a run with <code>${escapeHtml('bench run --tasks all --methods baseline,sequential')}</code>, then make this page again.</p>`,
    ...parts.map(partHtml),
  ]).join('\n')
}

function partsOf(group: HistoryGroup, isOneOfSeveral: boolean, hrefOf: (run: string) => string): PagePart[] {
  const { kind, faults, trend, rows, recent } = group
  const drawn = historyCharts(group)
  const mark = isOneOfSeveral ? ` (${evidence[kind].name}${faults === null ? '' : ', faults injected'})` : ''
  const id = (name: string) => (isOneOfSeveral ? `${name}-${kind}${faults === null ? '' : '-faults'}` : name)
  const lines = (all: readonly { lines: HistoryLine[] }[]) => all.flatMap((one) => one.lines)
  const newest = newestColumn(hrefOf)
  const table = (title: string, own: readonly HistoryLine[], more: ColumnOf<HistoryLine>[]) =>
    tablesByKind(title, own, [...lineColumns, ...more], [], hrefOf)
      .map(tableHtml)
      .join('\n')
  const cards = (...names: string[]) =>
    `<div class="cards">\n${names.map((name) => figureHtml([id(name), drawn[name] ?? ''], drawn[`${name}-narrow`])).join('\n')}\n</div>`
  const byWeek = table('Success and cost by week', lines(trend), [newest])
  const most = recent.length > mostRecent
  return [
    [
      id('quality'),
      `Quality by week and run by run${mark}`,
      `${cards('trend', 'timeline')}\n<details class="fold"><summary>By week, as a table</summary>\n${byWeek}\n</details>`,
    ],
    [
      id('agents'),
      `Cost and success by agent${mark}`,
      `${cards('cost', 'success')}\n${table('Success and cost by method and agents', lines(rows), [newest])}`,
    ],
    [
      id('recent'),
      `Recent runs${mark}`,
      table(
        most
          ? `The ${mostRecent} newest of ${recent.length} lines; bench history runs has all`
          : 'Runs, the newest first',
        recent.slice(0, mostRecent),
        [],
      ),
    ],
  ]
}

/** A link to the newest run of a line. */
function newestColumn(hrefOf: (run: string) => string): ColumnOf<HistoryLine> {
  const runOf = ({ runs }: HistoryLine) => runs.at(-1) ?? ''
  return {
    ...labelColumn('newest_run', 'newest run', runOf),
    cell: (line) => ({ text: runOf(line), value: runOf(line), href: hrefOf(runOf(line)) }),
  }
}
