import { shellWord } from '../../text/shell-word.ts'
import type { Report } from '../report.ts'
import type { Note, Section, Table } from '../tables/table.ts'
import { escapeHtml, inlineJson } from './html-text.ts'
import { notesHtml, tableHtml } from './table-html.ts'
import type { TrialRow } from './trial-row.ts'

const sectionHeadings: Readonly<Record<Section['name'], string>> = {
  coordination: 'Coordination',
  contextWindows: 'Workflows of states',
  errorFlow: 'Error flow',
  toolSavings: 'Reports of tools',
}

/** The parts of a page. */
interface PageParts {
  report: Report
  /** The figures as whole SVG documents, by name. */
  figures: Readonly<Record<string, string>>
  trials: readonly TrialRow[]
  /** The story of each trial, in the same order, as a JSON array of its parts; null: left out because of the size. */
  stories: readonly (string | null)[]
  /** The style and the script of the page, and the SHA-256 of the script in base64: no other script may run. */
  style: string
  script: string
  scriptHash: string
}

/**
 * Renders one self-contained page: tables, figures, and all trials, which can be filtered, sorted and opened. Texts of tasks,
 * methods and models are shown as text; the page's policy allows no other script and no request.
 */
export function renderPage({
  report,
  figures,
  trials,
  stories,
  style,
  script,
  scriptHash,
}: PageParts): string {
  const { summary, run, comparison, sections } = report
  const left = stories.filter((story) => story === null).length
  const title = `${report.methods.title}: ${run}`
  const parts: [id: string, heading: string, body: string][] = [
    ['methods', 'Methods', tablesHtml([report.methods], report.methods.notes)],
    ...(comparison
      ? [
          [
            'comparison',
            'Comparison',
            tablesHtml([...comparison.tables, ...comparison.details], comparison.notes),
          ] as [string, string, string],
        ]
      : []),
    ['figures', 'Figures', Object.entries(figures).map(figureHtml).join('\n')],
    ['tasks', 'Tasks', tablesHtml([report.tasks], [])],
    ...sections.map(({ name, tables: own, notes }): [string, string, string] => [
      name,
      sectionHeadings[name],
      tablesHtml(own, notes),
    ]),
    ['trials', 'Trials', trialsHtml(report, left)],
  ]
  return [
    '<!doctype html>',
    '<html lang="en">',
    '<head>',
    '<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-${scriptHash}'; base-uri 'none'; form-action 'none'">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="color-scheme" content="light dark">',
    `<title>${escapeHtml(title)}</title>`,
    `<style>\n${style}</style>`,
    '</head>',
    '<body>',
    '<a class="skip" href="#trials">Skip to the trials</a>',
    `<header><h1>${escapeHtml(report.methods.title)}</h1>`,
    `<p>Run <code>${escapeHtml(run)}</code>.${summary.simulated ? ' <strong>Simulated:</strong> these numbers describe the simulation, not the methods.' : ''}${summary.faults === null ? '' : ' <strong>Faults were injected on purpose.</strong>'}</p>`,
    `<nav aria-label="Parts">${parts.map(([id, heading]) => `<a href="#${id}">${escapeHtml(heading)}</a>`).join(' ')}</nav></header>`,
    '<main>',
    ...parts.map(
      ([id, heading, body]) =>
        `<section id="${id}" aria-labelledby="${id}-heading"><h2 id="${id}-heading">${escapeHtml(heading)}</h2>\n${body}\n</section>`,
    ),
    '</main>',
    '<dialog id="trial" aria-labelledby="trial-heading"><div class="bar"><h2 id="trial-heading"></h2><button type="button" id="trial-close">Close</button></div><div id="trial-story"></div></dialog>',
    `<script type="application/json" id="data">${inlineJson({ run: shellWord(run), trials })}</script>`,
    `<script type="application/json" id="stories">\n${stories.map((story) => (story === null ? 'null' : story.replaceAll('<', '\\u003c'))).join('\n')}\n</script>`,
    `<script type="module">${script}</script>`,
    '</body>',
    '</html>\n',
  ].join('\n')
}

function tablesHtml(all: readonly Table[], notes: readonly Note[]): string {
  return [...all.map(tableHtml), notesHtml(notes)].join('\n')
}

// A figure file has a white background; on the page it takes the background of the page.
function figureHtml([name, svg]: [string, string]): string {
  return `<figure id="figure-${escapeHtml(name)}">\n${svg.trim().replace(' style="background:white"', '')}\n</figure>`
}

function trialsHtml({ run, summary }: Report, left: number): string {
  const filter = (id: string, name: string) =>
    `<label>${name} <select id="filter-${id}" data-field="${id}"><option value="">all</option></select></label>`
  return [
    '<form id="filters" role="search" aria-label="Filter the trials">',
    filter('suite', 'Suite'),
    filter('task', 'Task'),
    filter('method', 'Method'),
    filter('agents', 'Agents'),
    filter('outcome', 'Ended'),
    filter('passed', 'Result'),
    '<button type="reset">All</button>',
    '</form>',
    '<p id="count" role="status"></p>',
    '<noscript><p>The list of trials needs scripts; the rest of the page does not.</p></noscript>',
    `<div class="scroll" tabindex="0"><table id="trial-table"><caption>Trials${summary.simulated ? ' (simulated)' : ''}; click a trial to read it as a story</caption><thead></thead><tbody></tbody></table></div>`,
    '<p><button type="button" id="more" hidden>Show more</button></p>',
    left > 0
      ? `<p class="notes">To limit its size, the page leaves out the stories of ${left} trials. Read one with <code>${escapeHtml(`bench show ${shellWord(run)} TRIAL`)}</code>.</p>`
      : '',
  ].join('\n')
}
