import { evidenceOf } from '../../analysis/evidence.ts'
import { unjoinedNote } from '../../loop/join/unjoined.ts'
import { gridHtml } from '../../reports/html/grid.ts'
import { escapeHtml, textHtml } from '../../reports/html/html-text.ts'
import { counted, formatCount } from '../../reports/words/numbers.ts'
import { shellWord } from '../../text/shell-word.ts'
import { type ChosenTrials, choiceQuery, hrefOfRun, type TrialChoice } from './choose-trials.ts'
import type { RunProgress } from './progress.ts'
import type { ViewedRun } from './run-folders.ts'
import { choiceForm, pagesHtml, problemsHtml } from './shell.ts'
import { hrefOfTrial } from './trial-page.ts'

/** Renders how far a run is, and what of it cannot be read: the first that a person sees. */
export function statusHtml(
  { folder, manifest, index }: ViewedRun,
  { state, done, planned, text, now }: RunProgress,
): string {
  const unjoined = unjoinedNote(folder)
  return [
    `<section id="status" aria-label="State"><p><b id="state" data-state="${state === 'running' ? 'running' : 'stands'}">${textHtml(state)}</b> <span id="progress" role="status">${textHtml(text)}</span> <span class="notes">${evidenceOf(manifest).name}; ${counted(manifest.tasks.length, 'task')}, ${counted(manifest.epochs, 'epoch')}; begun ${escapeHtml(manifest.createdAt.slice(0, 16).replace('T', ' '))} UTC</span></p>`,
    `<progress id="bar" max="${planned}" value="${done}" aria-label="Trials with a record"${state === 'running' ? '' : ' hidden'}></progress>`,
    `<ul id="now" aria-label="Who does what now">${now.map((one) => `<li>${textHtml(one)}</li>`).join('')}</ul>`,
    '<p id="changed" role="status" hidden>The answer below is older than the trials. <a href="">Load the page again</a></p></section>',
    unjoined === undefined ? '' : `<p class="notes">${textHtml(unjoined)}</p>`,
    problemsHtml([...index.problems]),
  ].join('\n')
}

/** Returns a name for the place of a trial on the page. */
export function placeNamer({ manifest, rows }: Pick<ViewedRun, 'manifest' | 'rows'>) {
  const tasks = new Map(manifest.tasks.map(({ ref }, at) => [ref, String(at)]))
  return (task: string, row: string, epoch: number): string =>
    // A task of an earlier plan has no place of its own in the present one.
    `p-${tasks.get(task) ?? `x${Buffer.from(task).toString('hex')}`}-${rows.indexOf(row)}-${epoch}`
}

/** Renders the choice and the grid of a run. `found`: how many trials hold the text that was searched. */
export function gridSection(
  run: ViewedRun,
  choice: TrialChoice,
  chosen: ChosenTrials,
  found: number | undefined,
): string {
  const { name, folder, manifest } = run
  const hrefOf = (changes: Partial<TrialChoice>) => `${hrefOfRun(name)}${choiceQuery(choice, changes)}`
  const count = [
    `${formatCount(chosen.all.length)} of ${counted(manifest.tasks.length, 'task')}`,
    found === undefined ? '' : `; ${counted(found, 'trial')} with this text`,
  ].join('')
  const words = shellWord(folder)
  const shown = [
    choice.method && ` --method ${shellWord(choice.method)}`,
    choice.show === 'failed' && ' --failed',
  ].filter(Boolean)
  return [
    '<section id="trials" aria-label="Trials">',
    choiceForm(choice, run.rows, run.isShut),
    `<p role="status">${count}</p>`,
    gridHtml({
      ...{ tasks: chosen.tasks, rows: chosen.rows, epochs: chosen.epochs, trials: chosen.trials },
      evidence: evidenceOf(manifest).mark,
      hrefOf: (trial) => hrefOfTrial(name, trial, choice),
      placeOf: placeNamer(run),
      apartHref: hrefOf({ sort: choice.sort === 'apart' ? 'plan' : 'apart', page: 1 }),
    }),
    pagesHtml(Math.min(choice.page, chosen.pages), chosen.pages, (page) => hrefOf({ page })),
    `<p class="commands">In a terminal: <code>bench show ${escapeHtml(words + shown.join(''))}</code> <code>bench report ${escapeHtml(words)} --format html --out page.html</code></p>`,
    '</section>',
  ].join('\n')
}
