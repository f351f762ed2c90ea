import { numberOf, symbolName, Undecided } from './evaluate.ts'
import { cleanLatex, type MathNode, parseLatex } from './read-latex.ts'

/** What an answer is, apart from its values. */
export type Form =
  | { kind: 'value'; node: MathNode; units: readonly string[]; percent?: boolean; base?: string }
  /** Several values without an order: a list with commas, a set. */
  | { kind: 'values'; items: readonly Form[] }
  /** A tuple or an interval, by its brackets. */
  | { kind: 'ordered'; brackets: string; items: readonly Form[] }
  | { kind: 'matrix'; rows: readonly (readonly Form[])[] }
  | { kind: 'union'; items: readonly Form[] }
  /** Sides with `=` between them. */
  | { kind: 'equation'; sides: readonly MathNode[] }
  /** It holds where `node` is above 0, or also where it is 0. */
  | { kind: 'inequality'; node: MathNode; strict: boolean }
  /** Words, or a set that has a name. */
  | { kind: 'name'; name: string }

/**
 * Reads an answer as mathematics. `letters`: those that are variables; other words are names of units. Throws `Undecided` for what is no
 * mathematics.
 */
export function readForm(text: string, letters: ReadonlySet<string>): Form {
  const inPercent = /^(.*\d.*?)\s*(?:\\?%|\bpercent)\s*\.?$/s.exec(text)?.[1]
  const units: string[] = []
  const latex = cleanLatex(inPercent ?? text, letters).replace(
    unitBehind,
    (_, unit: string, braced: string = '', plain: string = '') => {
      units.push(`${unit} ${braced}${plain}`)
      return ''
    },
  )
  const pieces = latex.split(/\\cup(?![A-Za-z])/)
  if (pieces.length > 1) return { kind: 'union', items: pieces.map(readPiece) }
  const form = readPiece(latex)
  if (form.kind !== 'value') return form
  const degrees = form.units.length > 0 ? form.units : units
  return { ...form, units: degrees, ...(inPercent !== undefined && { percent: true }) }
}

/** A text behind a value, such as `\text{ cm}^2`, at the end of an item. */
const unitBehind =
  /(?<=[\w)}\]]\s*)\\text\s*\{([^{}]*)\}\s*(?:\^\s*(?:\{\s*(\d)\s*\}|(\d)))?\s*(?=$|,|\\text|\\[})]|[)\]])/g

const halfOpen = /^\s*(?:(?:[A-Za-z]|\\[a-z]+)\s*\\in\s*)?([[(])(.*)([\])])\s*$/s

/** The parser knows no brackets that differ. */
function readPiece(latex: string): Form {
  const [, open = '', inner = '', close = ''] = halfOpen.exec(latex) ?? []
  const isHalfOpen = open + close === '(]' || open + close === '[)'
  const node = parseLatex(isHalfOpen ? inner : latex)
  if (node === undefined) throw new Undecided('cannot be read as mathematics')
  if (!isHalfOpen) return formOf(node)
  const items = partsOf(node)
  if (items?.length !== 2) throw new Undecided('has brackets that differ')
  return { kind: 'ordered', brackets: open + close, items: items.map(formOf) }
}

/** Returns the parts of a list with commas. */
function partsOf(node: MathNode): readonly MathNode[] | undefined {
  if (!Array.isArray(node)) return undefined
  const [head, ...parts] = node as readonly MathNode[]
  if (head === 'Sequence') return parts
  return head === 'Delimiter' && parts[0] !== undefined ? partsOf(parts[0]) : undefined
}

/** Returns what an expression is. Throws `Undecided` for what is no answer. */
export function formOf(node: MathNode): Form {
  if (!Array.isArray(node)) return plainForm(node)
  const [head, ...parts] = node as readonly MathNode[]
  const listed = partsOf(node)
  if (listed !== undefined) {
    const items = listed.map(formOf)
    const isTuple = head === 'Delimiter' && parts[1] === "'(,)'"
    return isTuple
      ? { kind: 'ordered', brackets: '()', items }
      : { kind: 'values', items: items.flatMap(itemsOf) }
  }
  if (head === 'Delimiter') return formOf(parts[0] as MathNode)
  if (head === 'List') return { kind: 'ordered', brackets: '[]', items: parts.map(formOf) }
  if (head === 'Set') return { kind: 'values', items: parts.map(formOf).flatMap(itemsOf) }
  if (head === 'Matrix') return matrixOf(parts)
  if (head === 'Element' && parts.length === 2) return formOf(parts[1] as MathNode)
  if (head === 'Union') return { kind: 'union', items: parts.map(formOf) }
  if (head === 'Equal') return { kind: 'equation', sides: sidesOf(node) }
  return inequalityOf(node) ?? plainForm(node)
}

const sidesOf = (node: MathNode): readonly MathNode[] =>
  Array.isArray(node) && node[0] === 'Equal' ? node.slice(1).flatMap(sidesOf) : [node]

/** Returns the values that an answer lists: both of a value with `\pm`. */
export function itemsOf(form: Form): readonly Form[] {
  if (form.kind === 'values') return form.items
  if (form.kind !== 'value' || !hasTwoSigns(form.node)) return [form]
  return [1, -1].map((sign) => ({ ...form, node: ['Signed', sign, form.node] }))
}

const hasTwoSigns = (node: MathNode): boolean =>
  Array.isArray(node) &&
  node[0] !== 'Signed' &&
  (node[0] === 'PlusMinus' || node[0] === 'MinusPlus' || (node as readonly MathNode[]).some(hasTwoSigns))

function matrixOf([list, marks]: readonly MathNode[]): Form {
  if (!Array.isArray(list) || marks === "'||'") throw new Undecided('has a determinant')
  const rows = (list as readonly MathNode[]).slice(1)
  return { kind: 'matrix', rows: rows.map((row) => (Array.isArray(row) ? row.slice(1).map(formOf) : [])) }
}

const relations: ReadonlyMap<unknown, { strict: boolean; rising: boolean }> = new Map([
  ['Less', { strict: true, rising: true }],
  ['LessEqual', { strict: false, rising: true }],
  ['Greater', { strict: true, rising: false }],
  ['GreaterEqual', { strict: false, rising: false }],
])

/** Reads an inequality. A name between two bounds stands for their interval. */
function inequalityOf(node: MathNode): Form | undefined {
  const { terms, between } = chainOf(node)
  const [first, second = first] = between
  if (first === undefined || second === undefined) return undefined
  const [left, middle, right] = (first.rising ? terms : terms.toReversed()) as [MathNode, MathNode, MathNode?]
  if (right === undefined)
    return { kind: 'inequality', node: ['Subtract', middle, left], strict: first.strict }
  if (terms.length > 3 || first.rising !== second.rising || symbolName(middle) === undefined)
    throw new Undecided('has a chain of inequalities')
  const [low, high] = first.rising ? [first, second] : [second, first]
  const brackets = `${low.strict ? '(' : '['}${high.strict ? ')' : ']'}`
  return { kind: 'ordered', brackets, items: [left, right].map(formOf) }
}

interface Chain {
  terms: readonly MathNode[]
  between: readonly { strict: boolean; rising: boolean }[]
}

/** Returns the terms of a chain such as `1 < x \le 2`, whose parts the parser nests. */
function chainOf(node: MathNode): Chain {
  const relation = Array.isArray(node) ? relations.get(node[0]) : undefined
  if (relation === undefined) return { terms: [node], between: [] }
  const parts = (node as readonly MathNode[]).slice(1).map(chainOf)
  return {
    terms: parts.flatMap(({ terms }) => terms),
    between: parts.flatMap(({ between }, i) => (i === 0 ? between : [relation, ...between])),
  }
}

const sets = new Set([
  'EmptySet',
  'RealNumbers',
  'Integers',
  'NaturalNumbers',
  'RationalNumbers',
  'ComplexNumbers',
])

/** Reads a value, a number in another base, or a name. */
function plainForm(node: MathNode): Form {
  if (typeof node === 'string' && (node.startsWith("'") || sets.has(node)))
    return { kind: 'name', name: node }
  if (!Array.isArray(node)) return { kind: 'value', node, units: [] }
  const [head, ...parts] = node as readonly MathNode[]
  if (head === 'Degrees') return { kind: 'value', node: parts[0] as MathNode, units: ['degrees'] }
  const [digits, base] = [numberOf(parts[0]), numberOf(parts[1])]
  if (head === 'Subscript' && digits !== undefined && base !== undefined)
    return { kind: 'value', node: parts[0] as MathNode, units: [], base }
  return { kind: 'value', node, units: [] }
}
