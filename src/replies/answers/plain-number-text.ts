import { phrasesIn } from './phrases.ts'

const latex = phrasesIn<{
  symbols: Readonly<Record<string, string>>
  wrappers: string[]
  fractions: string[]
  escapes: Readonly<Record<string, string>>
}>('latex')
const wrappers = new Set(latex.wrappers)
const fractions = new Set(latex.fractions)

/**
 * Returns a text with one spelling of each mark that numbers are written with: `9{,}500` is `9,500`, `\frac{3}{4}` and `¾` are `3/4`,
 * `\text{cm}` is ` cm `, `³` is `^{3}`, `30^\circ` is `30°`. Markup is a space. Takes time linear in the text.
 */
export const plainNumberText = (text: string): string => plainMarkup(plainLatex(plainMarks(text)))

const signs: readonly (readonly [RegExp, string])[] = [
  [/[‐‑−﹣]/g, '-'],
  [/‒/g, '–'],
  [/[‘’ʼ′]/g, "'"],
  [/[⁄∕]/g, '/'],
  [/[✕✖⨯]/g, '×'],
  [/[⋅∙]/g, '·'],
  [/∗/g, '*'],
  [/٫/g, '.'],
  [/[٬、]/g, ','],
  [/٪/g, '%'],
  [/[=-]>/g, '→'],
]

function plainMarks(text: string): string {
  const plain = text
    .replace(/[\u00AD\u200B-\u200F\u202A-\u202E\u2060-\u2064\uFEFF]/g, '')
    .replace(/[^\S\n]/g, ' ')
    .replace(/[\uFF01-\uFF5E]/g, (mark) => String.fromCharCode(mark.charCodeAt(0) - 0xfee0))
    .replace(/(?![0-9])\p{Nd}/gu, digitOf)
    .replace(/[\u00BC-\u00BE\u2150-\u215E\u2189]/g, (mark, at: number, whole: string) => {
      const space = /\d/.test(whole[at - 1] ?? '') ? ' ' : ''
      return `${space}${mark.normalize('NFKC').replace('\u2044', '/')}`
    })
    .replace(/[⁻⁺]?[⁰¹²³⁴-⁹]+/g, (marks) => `^{${marks.normalize('NFKC').replace('\u2212', '-')}}`)
    .replace(/[₀-₉]+/g, (marks) => `_${marks.normalize('NFKC')}`)
  return signs.reduce((made, [from, to]) => made.replace(from, to), plain)
}

/** Returns a digit of any script as an ASCII digit. Unicode keeps the ten digits of a script together, zero first. */
function digitOf(digit: string): string {
  const code = digit.codePointAt(0) as number
  let zero = code
  while (/\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero--
  return String((code - zero) % 10)
}

/** A star or underscore that joins two things (`3*4`, `2 ** 3`, `1_000`) stays; emphasis, ticks, quotes and tags become spaces. */
function plainMarkup(text: string): string {
  return text
    .replace(/<sup>/gi, '^')
    .replace(/<\/?[a-z][a-z0-9]{0,20} ?\/?>/gi, ' ')
    .replace(/[`"“”«»„]/g, ' ')
    .replace(/\*+|_+/g, (marks, at: number, whole: string) => {
      const [before, after] = [whole[at - 1] ?? '\n', whole[at + marks.length] ?? '\n']
      const joins = /[\p{L}\p{N})}]/u.test(before) && /[\p{L}\p{N}({\\]/u.test(after)
      return joins || (marks.startsWith('*') && before === ' ' && after === ' ') ? marks : ' '
    })
}

function plainLatex(text: string): string {
  if (!/[\\{}$]/.test(text)) return text
  // The spaces between groups of three digits: `32{,}349`, `32,\! 349`, `32\,349` and `$32~349$`.
  const grouped = text
    .replaceAll('{,}', ',')
    .replace(/(?<=\d),(?: ?\\[!,;:])+ ?(?=\d{3}(?!\d))/g, ',')
    .replace(/(?<=\d)~(?=\d{3}(?!\d)(?:~\d{3}){0,6}(?: ?(?:\$|\\[)\]])))/g, ' ')
  // `(3)/(4)` is `3/4`; behind a digit it is the fraction of a mixed number.
  return replaceCommands(withoutMathDollars(grouped)).replace(
    /(\d?)\( ?(-?) ?([\d.,]+) ?\)\/\( ?([\d.,]+) ?\)/g,
    (_, digit: string, sign: string, above: string, below: string) =>
      `${digit}${digit === '' ? '' : ' '}${sign}${above}/${below}`,
  )
}

/** Removes the dollars around math, by Pandoc's rule; a dollar of money stays. */
function withoutMathDollars(text: string): string {
  const gone = new Set<number>()
  let open: number | undefined
  for (const { 0: mark, index } of text.matchAll(/\\[\s\S]|\$\$|\$/g)) {
    if (mark === '$$') gone.add(index).add(index + 1)
    else if (mark !== '$') continue
    else if (
      open !== undefined &&
      /\S/.test(text[index - 1] as string) &&
      !/\d/.test(text[index + 1] ?? '')
    ) {
      gone.add(open).add(index)
      open = undefined
    } else open = /\S/.test(text[index + 1] ?? ' ') ? index : undefined
  }
  return gone.size === 0 ? text : text.replace(/\$/g, (_, at: number) => (gone.has(at) ? ' ' : '$'))
}

type Argument = 'wrapped' | 'above' | 'below' | undefined
const closerOf = (argument: Argument, isPower: boolean) =>
  argument === 'above'
    ? ')/('
    : argument === 'below'
      ? ')'
      : isPower
        ? '}'
        : argument === 'wrapped'
          ? ' '
          : ''

/** Walks through a text once. Each open brace has on the stack what its closing brace becomes. */
function replaceCommands(text: string): string {
  const parts: string[] = []
  const closers: string[] = []
  let next: Argument
  const close = (closer: string) => {
    parts.push(closer)
    if (closer === ')/(') next = 'below'
  }
  for (const [part = '', command, escaped] of text.matchAll(/\\([A-Za-z]+)[ ]?|\\([\s\S])|[\s\S]/g)) {
    if (part === '{') {
      const isPower = /[\^_]$/.test(parts.at(-1) ?? '')
      if (next === 'above') parts.push('(')
      closers.push(closerOf(next, isPower))
      parts.push(isPower ? '{' : next === 'wrapped' ? ' ' : '')
      next = undefined
    } else if (part === '}') close(closers.pop() ?? '')
    else if (command !== undefined) {
      if (fractions.has(command)) next = 'above'
      else if (wrappers.has(command)) next = 'wrapped'
      else parts.push(latex.symbols[command] ?? ` ${part.trim()} `)
    } else if (escaped !== undefined) parts.push(latex.escapes[escaped] ?? escaped)
    else if (next === 'above' || next === 'below') {
      if (part === ' ') continue
      parts.push(next === 'above' ? `(${part}` : part)
      const closer = closerOf(next, false)
      next = undefined
      close(closer)
    } else {
      next = undefined
      parts.push(part)
    }
  }
  // A fraction that is cut off is no number.
  if (next === 'below' || closers.includes(')/(')) parts.push(')/')
  return parts.join('')
}
