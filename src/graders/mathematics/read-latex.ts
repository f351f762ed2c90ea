import { ComputeEngine } from '@cortex-js/compute-engine'
import { isUnit } from '../../replies/answers/units.ts'

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

/** What is written in other forms than the parser knows, in the order in which it is replaced. */
const forms: readonly (readonly [RegExp, string])[] = [
  [/[−–]/g, '-'],
  [/·|\*(?!\*)/g, '\\cdot '],
  [/×/g, '\\times '],
  [/÷/g, '\\div '],
  [/±/g, '\\pm '],
  [/π/g, '\\pi '],
  [/∞/g, '\\infty '],
  [/∪/g, '\\cup '],
  [/∈/g, '\\in '],
  [/≤|\\leqslant|\\leq(?![A-Za-z])/g, '\\le '],
  [/≥|\\geqslant|\\geq(?![A-Za-z])/g, '\\ge '],
  [/∅/g, '\\emptyset '],
  [/½/g, '\\frac{1}{2}'],
  [/√\(([^()]*)\)/g, '\\sqrt{$1}'],
  [/√/g, '\\sqrt '],
  [/°|\\degree(?![A-Za-z])|\^\s*\{\s*\\circ\s*\}/g, '^\\circ '],
  [/\\\[|\\\]|(?<!\\)\\[()]|\\?\$|\*\*/g, ' '],
  [/\{,\}/g, ','],
  [/(?<!\\)%/g, '\\%'],
  [/(?<=\d)(?:,\s?\\!\s?|\\,|,)(?=\d{3}(?!\d)(?!\s*[,)\]}]))/g, ','],
  [/\\(?:left|right|[bB]igg?[lr]?|displaystyle|limits|mathstrut)(?![A-Za-z])/g, ' '],
  [/(?<!\\)\\[,;:!> ]|\\q?quad(?![A-Za-z])|[~\u00a0]/g, ' '],
  [/\\langle(?![A-Za-z])/g, '('],
  [/\\rangle(?![A-Za-z])/g, ')'],
  [/\\(?:mathrm|mathit)\s*\{([A-Za-z])\}/g, '$1'],
  [
    /\\(?:mbox|hbox|textbf|textit|textrm|textnormal|mathrm|mathbf|operatorname\*?)(?=\s*\{[A-Za-z .]{2,60}\})/g,
    '\\text',
  ],
  [/\\[dtc]frac(?![A-Za-z])/g, '\\frac'],
  [/\\sqrt\s*(\d)/g, '\\sqrt{$1}'],
  [/\\frac\s*(\d)\s*(\d)/g, '\\frac{$1}{$2}'],
  [/\\frac\s*([A-Za-z\d])(?=\s*\{)/g, '\\frac{$1}'],
  [/(\\frac\s*\{(?:[^{}]|\{[^{}]*\})*\})\s*([A-Za-z\d])/g, '$1{$2}'],
  [/_\s*([A-Za-z\d])/g, '_{$1}'],
  [/(?<![\d.^_A-Za-z])(\d{1,20})\s?\/\s?(\d{1,20})(?![\d.])/g, '\\frac{$1}{$2}'],
  [/(?<=\d) (?=\d{3}(?: \d{3})*$)/g, ''],
]

const scripts = { '⁰¹²³⁴⁵⁶⁷⁸⁹': '^', '₀₁₂₃₄₅₆₇₈₉': '_' } as const

/**
 * Writes LaTeX and plain text in the forms that the parser knows. `letters`: letters that are variables; other words are texts.
 */
export function cleanLatex(text: string, letters: ReadonlySet<string>): string {
  let latex = text
  for (const [digits, mark] of Object.entries(scripts))
    latex = latex.replace(
      new RegExp(`[${digits}]+`, 'g'),
      (found) => `${mark}{${[...found].map((one) => digits.indexOf(one)).join('')}}`,
    )
  for (const [form, known] of forms) latex = latex.replace(form, known)
  const items = latex
    .trim()
    .replace(/(?<=.)\s*[.,;]$/, '')
    .split(joins)
  return withTexts(items.map(withoutGroups).join(','), letters)
}

const joins = /\s*(?:,\s*)?(?:\\text\s*\{\s*(?:and|or)\s*\}|(?<![A-Za-z\\])(?:and|or)(?![A-Za-z])|;)\s*/

/** Removes commas between groups of three digits, if they can be nothing else. */
const withoutGroups = (text: string) =>
  text.replace(
    /^([-+]?\s?)(\d{1,3}(?:,\d{3})+)(?=$|[^\d,]*$|\.\d+)/,
    (_, sign: string, digits: string) => sign + digits.replaceAll(',', ''),
  )

const functions = new Set(
  'sin cos tan cot sec csc ln log exp sqrt pi arcsin arccos arctan infty infinity'.split(' '),
)

/** Makes words that are no commands and no products of known letters texts. */
function withTexts(text: string, letters: ReadonlySet<string>): string {
  const parts = text.split(/(\\(?:text|begin|end)\s*\{[^{}]*\}|\\[A-Za-z]+)/)
  return parts
    .map((part, i) => {
      if (i % 2 === 1) return part
      return part.replace(/[A-Za-z]{2,}/g, (word) => {
        if (functions.has(word)) return word === 'infinity' ? '\\infty ' : `\\${word} `
        const isProduct = [...word].every((letter) => letters.has(letter))
        return !isProduct && (word.length > 3 || isUnit(word)) ? `\\text{${word}}` : word
      })
    })
    .join('')
}
