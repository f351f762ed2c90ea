import { escapeHtml, textHtml } from './html-text.ts'

/** A part of the page below its first screen. */
export type PagePart = [id: string, heading: string, body: string]

/** Joins modules to one: those before a module hold what it imports, so imports and exports are left out. */
export function joinModules(modules: readonly string[]): string {
  return modules
    .map((text) =>
      text.replace(/^import [^']*'[^']*'\n/gm, '').replace(/^export (?=const|function|let)/gm, ''),
    )
    .join('\n')
}

/** The parts of a whole page, as HTML but for the title, and the SHA-256 of its script in base64. */
interface DocumentParts {
  title: string
  style: string
  script: string
  scriptHash: string
  /** Where a link for the keyboard leads, and its words. */
  skip: readonly [href: string, words: string]
  header: readonly string[]
  main: readonly string[]
  /** What the script reads. */
  data: readonly string[]
}

/** Renders a whole page. Its policy allows no other script and no request. */
export function documentHtml({
  title,
  style,
  script,
  scriptHash,
  skip,
  header,
  main,
  data,
}: DocumentParts): string {
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
    `<a class="skip" href="${skip[0]}">${skip[1]}</a>`,
    `<header>${header.join('\n')}</header>`,
    '<main>',
    ...main,
    '</main>',
    ...data,
    `<script type="module">${script}</script>`,
    '</body>',
    '</html>\n',
  ].join('\n')
}

/** Renders a part of a page under its heading. */
export const partHtml = ([id, heading, body]: PagePart): string =>
  `<section id="${id}" aria-labelledby="${id}-heading"><h2 id="${id}-heading">${textHtml(heading)}</h2>\n${body}\n</section>`

/** Renders links to the parts of a page. */
export function navHtml(parts: readonly PagePart[], more = ''): string {
  const links = parts.map(([id, heading]) => `<a href="#${id}">${textHtml(heading)}</a>`)
  return `<nav aria-label="Parts"${more}>${links.join(' ')}</nav>`
}

/** Renders a figure. Its file has a white background; on the page it takes the background of the page. */
export function figureHtml([name, svg]: readonly [string, string], narrow?: string): string {
  const drawn = (one: string) => one.trim().replace(' style="background:white"', '')
  const drawings = narrow
    ? `<div class="wide">${drawn(svg)}</div>\n<div class="narrow">${drawn(narrow)}</div>`
    : drawn(svg)
  return `<figure id="figure-${escapeHtml(name)}"><div class="drawing"${narrow ? '' : ' tabindex="0"'}>\n${drawings}\n</div></figure>`
}
