import { ComputeEngine } from '@cortex-js/compute-engine'
import { isWord } from './units.ts'

/** An expression as MathJSON: a number, a symbol, a text in single quotes, or a function with its arguments. */
export type MathNode = number | string | { readonly num: string } | readonly MathNode[]

let engine: ComputeEngine | undefined

/** Only its parser is used: its arithmetic of complex numbers is wrong (1/(1+i)), and its sums have no bound. */
function openEngine(): ComputeEngine {
  const opened = new ComputeEngine()
  opened.latexDictionary = [
    ...opened.latexDictionary,
    {
      latexTrigger: ['\\binom'],
      parse: (parser: { parseGroup(): MathNode | null }) => [
        'Binomial',
        parser.parseGroup() ?? 'Nothing',
        parser.parseGroup() ?? 'Nothing',
      ],
    },
  ]
  return opened
}

/** Forgets the parser, whose state is unknown after it was interrupted. */
export function dropParser(): void {
  engine = undefined
}

/** Parses LaTeX as it is written, without computing anything. Undefined for what is no mathematics. */
export function parseLatex(latex: string): MathNode | undefined {
  engine ??= openEngine()
  try {
    const node = engine.parse(latex, { canonical: false }).json as MathNode
    return hasError(node) || node === 'Nothing' ? undefined : node
  } catch {
    // The parser throws for names such as `constructor`.
    return undefined
  }
}

const hasError = (node: MathNode): boolean =>
  Array.isArray(node) && (node[0] === 'Error' || (node as readonly MathNode[]).some(hasError))

const spaces = /(?<!\\)\\[,;:!> ]|\\q?quad(?![A-Za-z])|[~\u00a0]/g
const sizes = /\\(?:left|right|[bB]igg?[lr]?|displaystyle|limits|mathstrut)(?![A-Za-z])/g
const wrappers =
  /\\(?:mbox|hbox|textbf|textit|textrm|textnormal|mathrm|mathbf|operatorname\*?)(?=\s*\{[A-Za-z .]{2,60}\})/g
const signs: Readonly<Record<string, string>> = {
  ...{ '−': '-', '–': '-', '·': '\\cdot ', '×': '\\times ', '÷': '\\div ', '±': '\\pm ', '∓': '\\mp ' },
  ...{ π: '\\pi ', θ: '\\theta ', '∞': '\\infty ', '∪': '\\cup ', '∈': '\\in ', '≤': '\\le ', '≥': '\\ge ' },
  ...{ '°': '^\\circ ', '√': '\\sqrt ', '²': '^2', '³': '^3', '½': '\\frac12', '∅': '\\emptyset ' },
}

/**
 * Writes LaTeX and plain text in the forms that the parser knows. `letters`: letters that are variables; other words of two letters
 * and more are texts.
 */
export function cleanLatex(text: string, letters: ReadonlySet<string>): string {
  const plain = text
    .replace(/[−–·×÷±∓πθ∞∪∈≤≥°√²³½∅]/g, (sign) => signs[sign] as string)
    .replace(/(?<!\\)\\[()[\]]|\\?\$|\*\*/g, ' ')
    .replaceAll('{,}', ',')
    .replace(/(?<!\\)%/g, '\\%')
    .replace(/(?<=\d),\s?\\!\s?(?=\d{3}(?!\d))/g, ',')
    .replace(sizes, ' ')
    .replace(spaces, ' ')
    .replace(/\\[dtc]frac(?![A-Za-z])/g, '\\frac')
    .replace(/\\frac\s*([A-Za-z\d])(?=\s*\{)/g, '\\frac{$1}')
    .replace(/(\\frac\s*\{(?:[^{}]|\{[^{}]*\})*\})\s*([A-Za-z\d])/g, '$1{$2}')
    .replace(/\\degree(?![A-Za-z])|\^\s*\{\s*\\circ\s*\}/g, '^\\circ ')
    .replace(wrappers, '\\text')
    .replace(/\\leqslant|\\leq(?![A-Za-z])/g, '\\le ')
    .replace(/\\geqslant|\\geq(?![A-Za-z])/g, '\\ge ')
    .replace(/_\s*([A-Za-z\d])/g, '_{$1}')
    .replace(/(?<![\d.^_])(\d{1,20})\s?\/\s?(\d{1,20})(?![\d.])/g, '\\frac{$1}{$2}')
    .replace(/\*/g, '\\cdot ')
    .trim()
    .replace(/(?<=.)\s*[.,;]$/, '')
  return withTexts(withoutGroups(plain), letters)
}

/** Removes commas between groups of three digits, if they can be nothing else. */
const withoutGroups = (text: string) =>
  text.replace(
    /^([-+]?\s?)(\d{1,3}(?:,\d{3})+)(?=$|[^\d,]*$|\.\d+)/,
    (_, sign: string, digits: string) => sign + digits.replaceAll(',', ''),
  )

const functions = new Set(
  'sin cos tan cot sec csc ln log exp sqrt pi arcsin arccos arctan infty infinity'.split(' '),
)
const joins = /\\text\s*\{\s*(?:and|or)\s*\}|(?<![A-Za-z\\])(?:and|or)(?![A-Za-z])|;/g

/** Makes words that are no commands and no products of known letters texts, and `and` and `or` commas. */
function withTexts(text: string, letters: ReadonlySet<string>): string {
  const listed = text.replace(joins, ',').replace(/,\s*,/g, ',')
  const parts = listed.split(/(\\(?:text|begin|end)\s*\{[^{}]*\}|\\[A-Za-z]+)/)
  return parts
    .map((part, i) => {
      if (i % 2 === 1) return part
      return part.replace(/[A-Za-z]{2,}/g, (word) => {
        if (functions.has(word)) return word === 'infinity' ? '\\infty ' : `\\${word} `
        return isWord(word) && ![...word].every((letter) => letters.has(letter)) ? `\\text{${word}}` : word
      })
    })
    .join('')
}
