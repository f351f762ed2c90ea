import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { Verdict } from '../../../src/analysis/compare/pair-results.ts'
import { latexText } from '../../../src/reports/formats/latex-text.ts'
import { textHtml } from '../../../src/reports/html/html-text.ts'
import { verdictText, verdictWord } from '../../../src/reports/words/claim-words.ts'
import { root } from '../../helpers/runs/cli.ts'

const textOf = (path: string) => readFileSync(join(root, path), 'utf8')
const guides = readdirSync(join(root, 'docs/guides')).map((name) => `docs/guides/${name}`)
const pages = ['README.md', 'docs/studies/cheap-models.md', ...guides].filter((path) => path.endsWith('.md'))
const reports = ['simulated/report', 'recorded/answers', 'recorded/code'].map(
  (folder) => `results/published/${folder}/report`,
)
const formatsOf = (path: string) => ({
  ...{ text: textOf(`${path}.txt`), markdown: textOf(`${path}.md`), latex: textOf(`${path}.tex`) },
  html: existsSync(join(root, `${path}.html`)) ? textOf(`${path}.html`) : undefined,
})
const inOneLine = (text: string) => text.replaceAll(/\s+/g, ' ').trim()

/** The sentences of first screens in fenced blocks, each without its label and in one line. */
function screenSentences(text: string, labels = 'Errors|Who|Price|Sure|Warn'): string[] {
  const blocks = [...text.matchAll(/^```\w*\n([\s\S]*?)^```$/gm)].map(([, block = '']) => block)
  const sentence = new RegExp(`^(?:${labels}) +(\\S.*(?:\\n {7}\\S.*)*)`, 'gm')
  return blocks.flatMap((block) => [...block.matchAll(sentence)].map(([, said = '']) => inOneLine(said)))
}

it('every sentence of a first screen that README, studies and guides quote is in its published report, in every format', () => {
  const quoted = pages.flatMap((path) => screenSentences(textOf(path)))
  expect(quoted.length).toBeGreaterThan(3)
  const published = reports.map((path) => formatsOf(path))
  for (const sentence of quoted) {
    const from = published.find(({ text }) => inOneLine(text).includes(sentence))
    expect(from, sentence).toBeDefined()
    expect(from?.markdown.replaceAll(/\\([\\`*|~<>&_(])/g, '$1')).toContain(sentence)
    if (from?.html) expect(from.html.toLowerCase()).toContain(textHtml(sentence).toLowerCase())
    // LaTeX has no warnings.
    if (!screenSentences(pages.map(textOf).join('\n'), 'Errors|Who|Price|Sure').includes(sentence)) continue
    const latex = inOneLine(from?.latex ?? '')
    expect([sentence, latexText(sentence)].some((one) => latex.includes(one))).toBe(true)
  }
})

/** What tables and screens can say of a pair, with the names that guides use. */
const verdicts: Verdict[] = [
  { word: 'better', method: 'B' },
  { word: 'not-worse', method: 'B' },
  { word: 'equivalent' },
  { word: 'not-separated' },
  { word: 'too-few-tasks' },
  { word: 'not-established' },
]
const said = new Set(
  verdicts.flatMap((verdict) => [
    ...[verdictText(verdict, 'M'), verdictText(verdict, 'M', '0.072')],
    ...['A', 'B'].map((side) => verdictWord(verdict, side)),
  ]),
)
const claimWords = /\b(?:better|worse|equivalent|not established|too few tasks|no task separated|all equal)\b/

it('the tables of words in README and guides have the words that verdicts have', () => {
  const cells = pages.flatMap((path) =>
    textOf(path)
      .split('\n')
      .filter((line) => line.startsWith('|'))
      .flatMap((line) => [...line.matchAll(/`([^`]+)`/g)].map(([, code = '']) => ({ path, code }))),
  )
  // A condition such as better(a, b) is no verdict.
  const words = cells.filter(
    ({ code }) => claimWords.test(code) && !/[()[\]=<>]\S|-/.test(code.replace(/\(p .*?\)/, '')),
  )
  expect(words.map(({ code }) => code)).toContain('equivalent within M')
  expect(words.filter(({ code }) => !said.has(code))).toEqual([])
})
