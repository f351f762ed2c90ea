import { join, relative } from 'node:path'
import { evidenceOf } from '../../analysis/evidence.ts'
import { ledgersOf } from '../../loop/join/blocks.ts'
import { foreignFile } from '../../loop/record/find-runs.ts'
import { readManifest } from '../../loop/record/run-folder.ts'
import { escapeHtml, textHtml } from '../../reports/html/html-text.ts'
import { counted } from '../../reports/words/numbers.ts'
import { rowNames } from '../../schema/agent/agent-set.ts'
import { UserError } from '../../text/errors.ts'
import { stateAfter } from '../runs.ts'
import { hrefOfRun } from './choose-trials.ts'
import { countRecords, type FoundRun, problemTexts, type RunFolders } from './run-folders.ts'
import { pagesHtml } from './shell.ts'

const pageSize = 25

/** Renders the list of the runs in a folder, a page at a time: only the runs of the page are read. */
export async function listHtml(
  root: string,
  runs: Pick<RunFolders, 'list'>,
  query: { q?: string; page?: string },
): Promise<string> {
  const all = await runs.list()
  const wanted = (query.q ?? '').toLowerCase()
  const found = all.filter(({ name }) => name.toLowerCase().includes(wanted))
  const pages = Math.max(1, Math.ceil(found.length / pageSize))
  const page = Math.max(1, Math.min(pages, Math.trunc(Number(query.page)) || 1))
  const shown = found.slice((page - 1) * pageSize, page * pageSize)
  const lines = await Promise.all(shown.map((run) => rowHtml(root, run)))
  const hrefOf = (to: number) =>
    `/?${new URLSearchParams({ ...(wanted && { q: wanted }), page: String(to) })}`
  if (all.length === 0) return overviewHtml(root, 0)
  return [
    overviewHtml(root, all.length),
    '<form id="choice" class="choice" role="search" aria-label="Choose runs">',
    `<label>Search in names <input type="search" name="q" value="${escapeHtml(query.q ?? '')}" maxlength="200"></label><button>Show</button></form>`,
    found.length === 0 && all.length > 0
      ? '<p>No run has this in its name. <a href="/">All runs</a></p>'
      : '',
    lines.length === 0 ? '' : tableHtml(lines),
    pagesHtml(page, pages, hrefOf),
  ].join('\n')
}

/** What stands above the list: how many runs there are, and the way to the charts over all of them. */
function overviewHtml(root: string, runs: number): string {
  return runs === 0
    ? `<p>No runs yet in <code>${escapeHtml(root)}</code>. Start one: <code>bench run --tasks answers --methods baseline</code></p>`
    : `<p>${counted(runs, 'run')} in <code>${escapeHtml(root)}</code>, the newest first. <a href="/history">What all runs say</a></p>`
}

const tableHtml = (lines: readonly string[]) =>
  [
    '<div class="scroll" tabindex="0"><table id="runs"><caption>Runs</caption>',
    '<thead><tr><th scope="col">run</th><th scope="col">state</th><th scope="col" class="right">trials</th><th scope="col">numbers</th><th scope="col">methods</th><th scope="col" class="right">tasks</th><th scope="col">begun</th></tr></thead>',
    `<tbody>\n${lines.join('\n')}\n</tbody></table></div>`,
  ].join('\n')

const mostNames = 4

/** Names the first methods, and how many more there are. */
const someOf = (names: readonly string[]): string =>
  names.length <= mostNames
    ? names.join(', ')
    : `${names.slice(0, mostNames).join(', ')} and ${names.length - mostNames} more`

/** One unreadable run does not hide the others. */
async function rowHtml(root: string, { name }: FoundRun): Promise<string> {
  const link = `<th scope="row"><a class="step" href="${hrefOfRun(name)}">${textHtml(name)}</a></th>`
  try {
    const folder = join(root, name)
    const foreign = foreignFile(folder)
    if (foreign) throw new UserError(foreign)
    const manifest = readManifest(folder)
    const [own = 0, ...inBlocks] = await Promise.all(
      ledgersOf(folder).map((ledger) => countRecords(root, relative(root, ledger))),
    )
    const recorded = inBlocks.reduce((sum, count) => sum + count, own)
    const state = stateAfter(folder, manifest, own)
    const cells = [
      `<td data-state="${state === 'running' ? 'running' : 'stands'}">${textHtml(state)}</td>`,
      `<td class="right">${recorded}/${manifest.trials}</td>`,
      `<td>${evidenceOf(manifest).name}</td>`,
      `<td class="names">${textHtml(someOf(rowNames(manifest)))}</td>`,
      `<td class="right">${manifest.tasks.length}</td>`,
      `<td>${escapeHtml(manifest.createdAt.slice(0, 16).replace('T', ' '))}</td>`,
    ]
    return `<tr>${link}${cells.join('')}</tr>`
  } catch (error) {
    return `<tr>${link}<td colspan="6" class="names">${textHtml(problemTexts(error).join(' '))}</td></tr>`
  }
}
