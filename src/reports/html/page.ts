import { evidenceOf } from '../../analysis/evidence.ts'
import { rowName } from '../../schema/agent/agent-set.ts'
import { shellWord } from '../../text/shell-word.ts'
import type { Report } from '../report.ts'
import { type FirstScreen, firstScreen } from '../screen/first-screen.ts'
import { capitalised, present } from '../words/numbers.ts'
import { safeLine } from '../words/safe-text.ts'
import { documentHtml, figureHtml, navHtml, type PagePart, partHtml } from './document.ts'
import { gridHtml, markOf } from './grid.ts'
import { escapeHtml, inlineJson, notesHtml, textHtml } from './html-text.ts'
import { methodTableHtml, moreColumnsHtml, orderedMethods } from './method-table.ts'
import { pairHtml, sectionParts, tablesHtml, trialDialog, trialsHtml } from './sections-html.ts'
import type { HandedInData, TrialRow } from './trial-data.ts'

/** The style sheets and modules of the page, in `page/`, in the order in which they are joined. */
export const pageAssets = {
  style: ['base.css', 'tables.css', 'figures.css', 'trials.css', 'grid.css'],
  script: [
    'values.mjs',
    'dom.mjs',
    'data.mjs',
    'tables.mjs',
    'trials.mjs',
    'story.mjs',
    'diff.mjs',
    'pair-contents.mjs',
    'pair.mjs',
    'links.mjs',
  ],
} as const

interface PageParts {
  report: Report
  /** The figures as whole SVG documents, by name. */
  figures: Readonly<Record<string, string>>
  /** The figure of the first screen, for a narrow window. */
  narrowFigure: string
  trials: readonly TrialRow[]
  /** The story of each trial, in the same order, as a JSON array of its parts; null: left out because of the size. */
  stories: readonly (string | null)[]
  /** What each trial handed in, in the same order. */
  handedIn: HandedInData
  /** The style and the script of the page, and the SHA-256 of the script in base64: no other script may run. */
  style: string
  script: string
  scriptHash: string
}

/** The figure of the first screen. */
const leadFigure = 'success-cost'

/**
 * Renders one self-contained page: the verdict, tables, figures, two methods side by side, and all trials, which can be filtered,
 * sorted and opened. Texts of tasks, methods and models are shown as text; the page's policy allows no other script and no request.
 */
export function renderPage(page: PageParts): string {
  const { report, trials, stories, handedIn, style, script, scriptHash } = page
  const { run } = report
  const screen = firstScreen(report)
  const methods = orderedMethods(report, screen)
  const rows = methods.map(({ method, set }) => safeLine(rowName(method, set)))
  const parts = partsOf(page, rows)
  const data = {
    run: shellWord(run),
    rows,
    baseline: methods.findIndex(({ isBaseline }) => isBaseline),
    trials,
  }
  return documentHtml({
    ...{
      title: `${screen.title}: ${run}`,
      style,
      script,
      scriptHash,
      skip: ['#trials', 'Skip to the trials'],
    },
    header: [
      `<h1>${textHtml(screen.title)}</h1>`,
      `<p>Run <code>${escapeHtml(run)}</code></p>`,
      navHtml(parts),
    ],
    main: [firstScreenHtml(page, screen, navHtml(parts, ' class="on-phone"')), ...parts.map(partHtml)],
    data: [
      trialDialog,
      `<script type="application/json" id="data">${inlineJson(data)}</script>`,
      `<script type="application/json" id="handed-in">${inlineJson(handedIn)}</script>`,
      `<script type="application/json" id="stories">\n${stories.map((story) => (story === null ? 'null' : story.replaceAll('<', '\\u003c'))).join('\n')}\n</script>`,
    ],
  })
}

/** Renders the first screen: verdict, figure and methods, and folded the other columns and the notes. */
export function firstScreenHtml(
  page: Pick<PageParts, 'report' | 'figures' | 'narrowFigure'>,
  screen: FirstScreen,
  nav: string,
): string {
  const { report, figures, narrowFigure } = page
  return [
    '<p id="no-trial" role="alert" hidden></p>',
    '<div class="first">',
    `<section id="verdict" aria-label="Verdict">\n${verdictHtml(screen)}\n${nav}\n</section>`,
    figureHtml([leadFigure, figures[leadFigure] ?? ''], narrowFigure),
    `<section id="methods" aria-label="Methods">\n${methodTableHtml(report, screen)}\n</section>`,
    '</div>',
    `<section id="more-columns" aria-label="All other columns of the methods">\n${moreColumnsHtml(report, screen)}\n</section>`,
    notesHtml(report.methods.notes),
  ].join('\n')
}

function partsOf({ report, figures, stories, trials }: PageParts, rows: readonly string[]): PagePart[] {
  const { comparison, sections, tasks, methods, summary } = report
  const left = stories.filter((story) => story === null).length
  const others = Object.entries(figures).filter(([name]) => name !== leadFigure)
  return present([
    methods.rows.length > 1 && (['pair', 'One task, two methods', pairHtml(report)] as PagePart),
    comparison &&
      ([
        'comparison',
        'Comparison',
        tablesHtml([...comparison.tables, ...comparison.details], comparison.notes),
      ] as PagePart),
    ['figures', 'Figures', `<div class="cards">\n${others.map((one) => figureHtml(one)).join('\n')}\n</div>`],
    ['tasks', 'Tasks', `${writtenGrid(trials, rows, evidenceOf(summary).mark)}\n${tablesHtml([tasks], [])}`],
    ...sectionParts(sections),
    ['trials', 'Trials', trialsHtml(report, left)],
  ])
}

/** The grid of a page without a server: its links open the trials of the page. */
const writtenGrid = (trials: readonly TrialRow[], rows: readonly string[], evidence: string) =>
  gridHtml({
    evidence,
    tasks: [...new Set(trials.map(({ task }) => task))].sort(),
    rows,
    epochs: trials.reduce((most, { epoch }) => Math.max(most, epoch), 1),
    trials: trials.map((one) => ({ ...one, row: one.row ?? one.method, mark: markOf(one) })),
    hrefOf: (trial) => `#trial=${trial}`,
  })

function verdictHtml({ sentences, warnings, simulated }: FirstScreen): string {
  const lines = sentences.map(({ label, text }) => `<div><dt>${label}</dt><dd>${textHtml(text)}</dd></div>`)
  const all = present([simulated !== null && `${simulated}.`, ...warnings]).map(
    (text) => `<li>${textHtml(capitalised(text))}</li>`,
  )
  return present([
    `<dl class="sentences">\n${lines.join('\n')}\n</dl>`,
    all.length > 0 && `<ul class="warnings" aria-label="Warnings">\n${all.join('\n')}\n</ul>`,
  ]).join('\n')
}
