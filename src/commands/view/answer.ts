import { createComparisonData } from '../../analysis/compare/rows.ts'
import { createFigureData } from '../../analysis/figures/figure-data.ts'
import { createFigureTrials } from '../../analysis/figures/figure-trials.ts'
import { isInBlocks } from '../../loop/record/in-blocks.ts'
import { readRecords } from '../../loop/record/records.ts'
import { findLostRecords, verifyLedgerQuickly } from '../../loop/record/verify-ledger.ts'
import { narrowWidth, successAgainstCost } from '../../reports/figures/success-against.ts'
import { firstScreenHtml } from '../../reports/html/page.ts'
import { firstScreen } from '../../reports/screen/first-screen.ts'
import { counted } from '../../reports/words/numbers.ts'
import { UserError } from '../../text/errors.ts'
import { shellWord } from '../../text/shell-word.ts'
import { noteLook } from '../compare/interim-look.ts'
import { reportRun } from '../report/report-run.ts'
import { problemTexts, type ViewedRun } from './run-folders.ts'
import { problemsHtml } from './shell.ts'

/** The answers of runs as long as nothing changes: a person goes back and forth between a run and its trials. */
export type Answers = WeakMap<ViewedRun['index'], { version: number; html: string }>

/**
 * Renders the answer of a run: its sentences, its figure and its methods, as the written page has them. Of a run that is shut it says
 * why. A look at a run that is not whole is noted, as `bench report --peek` notes it.
 */
export async function answerHtml(
  run: ViewedRun,
  answers: Answers,
  control: string | undefined,
): Promise<string> {
  try {
    const lost = findLostRecords(run.folder)
    if (lost) throw new UserError(lost)
    return await soundAnswer(run, answers, control)
  } catch (error) {
    return `<section id="answer">${problemsHtml(problemTexts(error))}</section>`
  }
}

async function soundAnswer(run: ViewedRun, answers: Answers, control: string | undefined): Promise<string> {
  const { folder, manifest, index } = run
  if (index.heads.size === 0)
    return `<section id="answer"><p>No trial ${isInBlocks(folder) ? 'is joined' : 'has ended'} yet.</p></section>`
  if (run.isShut) return shutHtml(run, control)
  const kept = answers.get(index)
  if (kept?.version === index.version) return kept.html
  const { version } = index
  const note = verifyLedgerQuickly(folder)
  const report = await reportRun(folder, manifest)
  if (report.comparison)
    noteLook(folder, manifest, { records: report.summary.records, command: 'bench view' })
  const data = figureData(run, report)
  const screen = firstScreen(report)
  const page = {
    report,
    figures: { 'success-cost': successAgainstCost(data) },
    narrowFigure: successAgainstCost(data, narrowWidth),
  }
  const html = `<section id="answer" aria-label="Answer">\n${problemsHtml(note === undefined ? [] : [note])}\n${firstScreenHtml(page, screen, '')}\n</section>`
  answers.set(index, { version, html })
  return html
}

/** The data of the first figure, which needs no steps. */
function figureData(
  { folder, manifest }: ViewedRun,
  { summary, comparison }: Awaited<ReturnType<typeof reportRun>>,
) {
  const comparisonData = createComparisonData()
  for (const record of readRecords(folder)) comparisonData.add(record)
  return createFigureData(createFigureTrials().result(), comparisonData, {
    ...{ summary, comparison: comparison?.comparison ?? null },
    methods: manifest.methods.map(({ label }) => label),
    source: `Made by bench ${manifest.versions.bench}.`,
  })
}

function shutHtml({ name, folder, manifest, index }: ViewedRun, control: string | undefined): string {
  const words = shellWord(folder)
  const how =
    control === undefined
      ? `<p>To look all the same: <code>bench report ${words} --peek</code>, or start bench view with <code>--control</code>.</p>`
      : `<form method="post" action="/runs/${encodeURIComponent(name)}/peek"><input type="hidden" name="control" value="${control}"><button>Peek: look now, and note it</button></form>`
  return [
    '<section id="answer" class="shut" aria-label="Answer"><h2>Success by method is shut until the run is whole</h2>',
    `<p>${index.heads.size} of ${counted(manifest.trials, 'trial')} ${isInBlocks(folder) ? 'are joined' : 'have ended'}. A look now is a look before the end: if trials are added after it, the tests for a fixed number of tasks are void, and the look stays noted in the run.</p>`,
    `${how}</section>`,
  ].join('\n')
}
