import { evidenceOf } from '../../analysis/evidence.ts'
import { shellWord } from '../../text/shell-word.ts'
import type { Report } from '../report.ts'
import type { Note, Section, Table } from '../tables/table.ts'
import { present } from '../words/numbers.ts'
import type { PagePart } from './document.ts'
import { escapeHtml, notesHtml, tableHtml, textHtml } from './html-text.ts'

const headings: Readonly<Record<Section['name'], string>> = {
  coordination: 'Coordination',
  contextWindows: 'Workflows of states',
  errorFlow: 'Error flow',
  toolSavings: 'Reports of tools',
  judges: 'Judges',
  mechanisms: 'Mechanisms',
  flips: 'Tasks that changed sides',
  cascades: 'Cascades',
  routes: 'Which agent answered, in routers',
  bracket: 'Between the cheapest and the dearest agent',
  wordings: 'How much is the wording',
}

/** Returns the further sections of a report as parts. */
export function sectionParts(sections: readonly Section[]): PagePart[] {
  return sections.map(({ name, tables, notes }) => [name, headings[name], tablesHtml(tables, notes)])
}

/** Renders tables with their notes: the first table open, the others folded. */
export function tablesHtml([first, ...others]: readonly Table[], notes: readonly Note[]): string {
  return present([
    first && tableHtml(first),
    ...others.map(
      (table) =>
        `<details class="fold"><summary>${textHtml(table.title)}</summary>\n${tableHtml(table)}\n</details>`,
    ),
    notesHtml(notes),
  ]).join('\n')
}

/** Renders the choice of a task and two methods, whose trials are shown side by side. */
export function pairHtml({ run }: Report): string {
  const command = `bench show ${shellWord(run)} --task TASK --methods A,B`
  const choice = (id: string, name: string) => `<label>${name} <select id="pair-${id}"></select></label>`
  return [
    '<form id="pair-choice" aria-label="Choose a task and two methods">',
    choice('task', 'Task'),
    choice('a', 'First method'),
    choice('b', 'Second method'),
    '</form>',
    '<div id="pair-epochs" role="group" aria-label="Epochs"></div>',
    '<div id="pair-result" aria-live="polite"></div>',
    `<noscript><p>The comparison needs scripts. In a terminal: <code>${escapeHtml(command)}</code></p></noscript>`,
  ].join('\n')
}

/** Renders the filters and the table of trials, which the script fills, and the dialog for one trial. */
export function trialsHtml({ run, summary }: Report, left: number): string {
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
    `<div class="scroll" tabindex="0"><table id="trial-table"><caption>Trials${evidenceOf(summary).mark}; click a trial to read it as a story</caption><thead></thead><tbody></tbody></table></div>`,
    '<p><button type="button" id="more" hidden>Show more</button></p>',
    left > 0
      ? `<p class="notes">To limit its size, the page leaves out the stories of ${left} trials. Read one with <code>${escapeHtml(`bench show ${shellWord(run)} TRIAL`)}</code>.</p>`
      : '',
  ].join('\n')
}

/** The dialog in which a trial is read. */
export const trialDialog = [
  '<dialog id="trial" aria-labelledby="trial-heading"><div class="bar"><h2 id="trial-heading" tabindex="-1"></h2>',
  '<span id="trial-place" role="status"></span>',
  '<button type="button" id="trial-previous" aria-keyshortcuts="ArrowLeft">← Previous</button>',
  '<button type="button" id="trial-next" aria-keyshortcuts="ArrowRight">Next →</button>',
  '<button type="button" id="trial-close">Close</button></div><div id="trial-story"></div></dialog>',
].join('')
