/**
 * Returns a text with the LaTeX of numbers in plain marks: `9{,}500` is `9,500`, `\frac{3}{4}` is `3/4`, `\text{cm}` is ` cm `,
 * `30^\circ` is `30°`. A command that is not known stays. Takes time linear in the text.
 */
export function plainLatex(text: string): string {
  if (!/[\\{}$]/.test(text)) return text
  return joinFractions(replaceCommands(withoutMathDollars(plainGroups(text))))
}

/** Makes the spaces between groups of three digits plain: `32{,}349`, `32,\! 349` and `32,\,349` are `32,349`; `$32~349$` is `$32 349$`. */
const plainGroups = (text: string) =>
  text
    .replaceAll('{,}', ',')
    .replace(/(?<=\d),(?: ?\\[!,;:])+ ?(?=\d{3}(?!\d))/g, ',')
    .replace(/(?<=\d)~(?=\d{3}(?!\d)(?:~\d{3}){0,6}(?: ?(?:\$|\\[)\]])))/g, ' ')

/** Removes the dollars around math, by Pandoc's rule; a dollar of money stays. */
function withoutMathDollars(text: string): string {
  const dollars = [...text.matchAll(/\\[\s\S]|\$\$|\$/g)].filter(([mark]) => mark.startsWith('$'))
  const gone = new Map<number, number>()
  let open: number | undefined
  for (const { 0: mark, index } of dollars) {
    if (mark === '$$') gone.set(index, 2)
    else if (
      open !== undefined &&
      /\S/.test(text[index - 1] as string) &&
      !/\d/.test(text[index + 1] ?? '')
    ) {
      gone.set(open, 1).set(index, 1)
      open = undefined
    } else open = /\S/.test(text[index + 1] ?? ' ') ? index : undefined
  }
  let plain = ''
  let from = 0
  for (const [index, length] of [...gone].sort(([a], [b]) => a - b)) {
    plain += `${text.slice(from, index)} `
    from = index + length
  }
  return plain + text.slice(from)
}

const symbols: Readonly<Record<string, string>> = {
  ...{ cdot: '·', times: '×', div: '÷', pm: '±', mp: '±', sqrt: '√', pi: 'π', infty: '∞' },
  ...{ approx: '≈', sim: '≈', simeq: '≈', cong: '≈', equiv: '≡', le: '≤', leq: '≤', ge: '≥', geq: '≥' },
  ...{ leqslant: '≤', geqslant: '≥', ne: '≠', neq: '≠', lt: '<', gt: '>', lor: ' or ', vee: ' or ' },
  ...{ to: '→', rightarrow: '→', Rightarrow: '→', longrightarrow: '→', implies: '→', iff: ';' },
  ...{ circ: '°', degree: '°', prime: "'", ldots: '…', dots: '…', cdots: '…', quad: '  ', qquad: '  ' },
  ...{ overline: '‾', bar: '‾', dot: '‾' },
  ...{ pounds: '£', euro: '€', cent: '¢', cents: '¢', left: '', right: '', big: '', Big: '', bigg: '' },
  ...{ Bigg: '', displaystyle: '', textstyle: '', limits: '', bf: '', bold: '', rm: '', it: '' },
}

/** Commands whose argument is read as if the command were not there. */
const wrappers = new Set(
  (
    'text textrm textbf textit textnormal textsf texttt textup mathrm mathbf mathit mathsf mathtt mathnormal ' +
    'boldsymbol bm boxed fbox framebox mbox hbox emph underline operatorname ensuremath'
  ).split(' '),
)
const fractions = new Set(['frac', 'dfrac', 'tfrac', 'cfrac'])
const escapes: Readonly<Record<string, string>> = {
  ...{ ',': ' ', ';': ' ', ':': ' ', ' ': ' ', '!': '', '\\': '\n', '{': '(', '}': ')' },
  ...{ '(': ' ', ')': ' ', '[': ' ', ']': ' ' },
}

/** Walks through a text once. Each open brace has on the stack what its closing brace becomes. */
function replaceCommands(text: string): string {
  const parts: string[] = []
  const closers: string[] = []
  // What the next argument is: of a command that wraps, above or below the line of a fraction.
  let next: 'wrapped' | 'above' | 'below' | undefined
  const close = (closer: string) => {
    parts.push(closer)
    if (closer === ')/(') next = 'below'
  }
  for (const [part = '', command, escaped] of text.matchAll(/\\([A-Za-z]+)[ ]?|\\([\s\S])|[\s\S]/g)) {
    if (part === '{') {
      const power = /[\^_]$/.test(parts.at(-1) ?? '')
      if (next === 'above') parts.push('(')
      closers.push(closerOf(next, power))
      parts.push(power ? '{' : next === 'wrapped' ? ' ' : '')
      next = undefined
    } else if (part === '}') close(closers.pop() ?? '')
    else if (command !== undefined) {
      if (fractions.has(command)) next = 'above'
      else if (wrappers.has(command)) next = 'wrapped'
      else parts.push(symbols[command] ?? ` ${part.trim()} `)
    } else if (escaped !== undefined) parts.push(escapes[escaped] ?? escaped)
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

function closerOf(argument: 'wrapped' | 'above' | 'below' | undefined, power: boolean): string {
  if (argument === 'above') return ')/('
  if (argument === 'below') return ')'
  if (power) return '}'
  return argument === 'wrapped' ? ' ' : ''
}

/** `(3)/(4)` is `3/4`; behind a digit it is the fraction of a mixed number. */
const joinFractions = (text: string) =>
  text.replace(
    /(\d?)\( ?(-?) ?([\d.,]+) ?\)\/\( ?([\d.,]+) ?\)/g,
    (_, digit: string, sign: string, above: string, below: string) =>
      `${digit}${digit === '' ? '' : ' '}${sign}${above}/${below}`,
  )
