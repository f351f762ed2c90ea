import { escapeHtml, inlineJson, textHtml } from '../../reports/html/html-text.ts'
import { pageAssets } from '../../reports/html/page.ts'
import type { readAssets } from '../report/page-assets.ts'
import { choiceQuery, shows, sorts, type TrialChoice } from './choose-trials.ts'

/** Style and script of the pages of a server. */
type Assets = ReturnType<typeof readAssets>

/** The files of the pages of a server: those of the written page as far as a server needs them, and what follows a run. */
export const viewAssets = {
  style: [...pageAssets.style, 'view.css'],
  script: ['values.mjs', 'dom.mjs', 'tables.mjs', 'beside.mjs', 'live.mjs', 'keys.mjs'],
} as const

/** A page up to its main part, and what follows it. */
export interface Shell {
  title: string
  /** The way back: names and addresses. */
  path: readonly (readonly [name: string, href: string])[]
  nonce: string
  assets: Assets
  /** What the script of the page follows; null: nothing. */
  follows: { events: string } | null
}

/** Renders a page up to its main part. */
export const shellBegin = ({ title, path, assets }: Omit<Shell, 'nonce' | 'follows'>): string =>
  [
    '<!doctype html>',
    '<html lang="en"><head><meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="color-scheme" content="light dark"><link rel="icon" href="data:,">',
    `<title>${escapeHtml(title)}</title>`,
    `<style>\n${assets.style}</style></head>`,
    '<body class="view"><a class="skip" href="#main">Skip to the content</a>',
    `<header><nav aria-label="Way back">${path.map(([name, href]) => `<a href="${escapeHtml(href)}">${textHtml(name)}</a>`).join(' / ')}</nav>`,
    `<h1>${textHtml(title)}</h1></header>`,
    '<main id="main" tabindex="-1">',
  ].join('\n')

/** Renders what follows the main part. */
export const shellEnd = ({ nonce, assets, follows }: Pick<Shell, 'nonce' | 'assets' | 'follows'>): string =>
  [
    '</main>',
    '<dialog id="keys" aria-label="Keys"><h2>Keys</h2><dl class="keys">',
    ...keys.map(([key, deed]) => `<div><dt><kbd>${key}</kbd></dt><dd>${deed}</dd></div>`),
    '</dl><form method="dialog"><button>Close</button></form></dialog>',
    `<script type="application/json" id="follows">${inlineJson(follows)}</script>`,
    `<script type="module" nonce="${escapeHtml(nonce)}">${assets.script}</script>`,
    '</body></html>\n',
  ].join('\n')

const keys = [
  ['j', 'the next trial, or the next run'],
  ['k', 'the one before'],
  ['f', 'the filter'],
  ['/', 'search'],
  ['u', 'back to the run, or to the runs'],
  ['?', 'this list'],
] as const

/** Renders lines of what is wrong, in the place of what they are about. */
export const problemsHtml = (texts: readonly string[]): string =>
  texts.length === 0
    ? ''
    : `<ul class="warnings" role="alert">\n${texts.map((text) => `<li>${textHtml(text)}</li>`).join('\n')}\n</ul>`

/** Renders links to the pages of a list; nothing for one page. */
export function pagesHtml(page: number, pages: number, hrefOf: (page: number) => string): string {
  if (pages < 2) return ''
  const link = (to: number, text: string) =>
    to < 1 || to > pages ? `<span>${text}</span>` : `<a href="${escapeHtml(hrefOf(to))}">${text}</a>`
  return `<nav class="pages" aria-label="Pages">${link(page - 1, '← Previous')} page ${page} of ${pages} ${link(page + 1, 'Next →')}</nav>`
}

/** Renders the form that chooses trials. `isShut`: results must not be chosen by. */
export function choiceForm(choice: TrialChoice, rows: readonly string[], isShut: boolean): string {
  const option = (value: string, text: string, chosen: string) =>
    `<option value="${escapeHtml(value)}"${value === chosen ? ' selected' : ''}>${textHtml(text)}</option>`
  const select = (
    name: string,
    label: string,
    options: readonly (readonly [string, string])[],
    chosen: string,
  ) =>
    `<label>${label} <select name="${name}">${options.map(([value, text]) => option(value, text, chosen)).join('')}</select></label>`
  const input = (name: string, label: string, value: string) =>
    `<label>${label} <input type="search" name="${name}" value="${escapeHtml(value)}" maxlength="200"></label>`
  const only = { all: 'all', differ: 'methods differ', failed: 'a trial failed', errors: 'with an error' }
  const by = { plan: 'the plan', apart: 'most apart first' }
  return [
    '<form id="choice" class="choice" role="search" aria-label="Choose tasks and trials">',
    input('q', 'Search in names and texts', choice.q),
    input('task', 'Task', choice.task),
    rows.length > 1
      ? select('method', 'Method', [['', 'all'], ...rows.map((row) => [row, row] as const)], choice.method)
      : '',
    isShut
      ? ''
      : select(
          'show',
          'Tasks where',
          shows.map((one) => [one, only[one]] as const),
          choice.show,
        ),
    isShut || rows.length < 2
      ? ''
      : select(
          'sort',
          'Order',
          sorts.map((one) => [one, by[one]] as const),
          choice.sort,
        ),
    `<button>Show</button>${choiceQuery(choice) === '' ? '' : ' <a href="?">All</a>'}</form>`,
  ].join('\n')
}
