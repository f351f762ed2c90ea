import { loadPackage } from '../../../base/load-package.ts'

/** A statement of Python, or the head of a compound one: the statements of its body follow it, one level deeper. */
export interface Statement {
  /** The name of the parser's node: `FunctionDefinition`, `AssignStatement`, `Decorator`. */
  kind: string
  /** 0 at the top level; there each statement begins its line, as far to the left as any. */
  depth: number
  column: number
  beginsLine: boolean
  /** Whether it stands within a function. */
  isInner: boolean
  from: number
  to: number
  names: Name[]
  /** Of an assignment the kind of the value, and where it begins. */
  value?: { kind: string; from: number }
  /** Whether it holds what is no Python, before the end of the code, which may be cut off. */
  isBroken?: boolean
  /** The name whose attribute or item it sets, deletes or calls. */
  changes?: string
}

/** A name in a statement, which is no attribute and no keyword of a call. */
interface Name {
  name: string
  /** `binds`: for what stands behind the statement; `inner`: a parameter or a variable of a loop, `with`, `lambda`. */
  use: 'reads' | 'binds' | 'inner' | 'global'
  /** The name with an attribute behind it, if it has one. */
  path: string
  isCalled: boolean
}

type Mode = Name['use'] | 'rename' | 'skip'

/** Code of more characters is read up to there: nobody writes a longer file for one function. */
const longestCode = 100_000

/** Python takes no deeper brackets, and neither does the parser: it fails in deep f-strings. */
const deepest = 200

/** Whether more brackets open, or close, than any Python has. Those in strings count: of them as many close as open, but for a few. */
function isTooDeep(source: string): boolean {
  let depth = 0
  for (const [bracket] of source.matchAll(/[([{}\])]/g)) {
    depth += '([{'.includes(bracket) ? 1 : -1
    if (Math.abs(depth) > deepest) return true
  }
  return false
}

const wrappers = new Set(['TupleExpression', 'ParenthesizedExpression', 'ArrayExpression'])
const first: Readonly<Record<string, Mode>> = {
  ParamList: 'inner',
  NamedExpression: 'inner',
  CapturePattern: 'inner',
  FunctionDefinition: 'binds',
  ClassDefinition: 'binds',
  TypeDefinition: 'binds',
}
/** What a word or mark makes of the names behind it, by the node that it stands in. */
const turns: readonly (readonly [parent: RegExp, mark: RegExp, mode: Mode])[] = [
  [/^For|Comprehension/, /^for$/, 'inner'],
  [/^For|Comprehension/, /^in$/, 'reads'],
  [/^ParamList$/, /^(?:,|\*+|\/)$/, 'inner'],
  [/^(?:ParamList|NamedExpression)$/, /^(?:AssignOp|:)$/, 'reads'],
  [/^ImportStatement$/, /^(?:import|,)$/, 'binds'],
  [/^ImportStatement$/, /^\.$/, 'skip'],
  [/^ImportStatement$/, /^as$/, 'rename'],
  [/^ScopeStatement$/, /^(?:global|nonlocal)$/, 'global'],
  [/^(?:WithStatement|TryStatement|AsPattern)$/, /^as$/, 'inner'],
  [/^(?:WithStatement|TryStatement)$/, /^(?:,|Body|except)$/, 'reads'],
]

interface OpenNode {
  kind: string
  mode: Mode
  statement: Statement | undefined
  /** Of an assignment the last sign: what stands before it is bound. */
  lastOp: number | undefined
}

/**
 * Divides Python code into statements with their names. Code with errors is divided as far as the parser can tell; what is nested too
 * deeply has none.
 */
export function parsePython(code: string): Statement[] {
  const source = code.slice(0, longestCode)
  if (isTooDeep(source)) return []
  try {
    return statementsOf(source)
  } catch (error) {
    // The parser calls itself for some long chains of errors.
    if (error instanceof RangeError) return []
    throw error
  }
}

function statementsOf(source: string): Statement[] {
  const end = source.trimEnd().length
  const statements: Statement[] = []
  const open: OpenNode[] = []
  const columnAt = createColumnReader(source)
  let [depth, functions, least] = [0, 0, Number.POSITIVE_INFINITY]
  treeOf(source).iterate({
    enter(node) {
      const { name: kind, from, to } = node
      const parent = open.at(-1)
      let statement = parent?.statement
      if (/(?:Statement|Definition|Decorator)$/.test(kind) && kind !== 'DecoratedStatement') {
        const length = source.slice(from, to).trimEnd().length
        const place = { depth, ...columnAt(from), isInner: functions > 0, from, to: from + length }
        statement = { kind, ...place, names: [] }
        statements.push(statement)
        least = Math.min(least, statement.column)
      }
      if (node.type.isError && statement && to < end) statement.isBroken = true
      if (kind === 'VariableName' && parent && statement) addName(source, node, parent, statement)
      else if (parent) turn(parent, kind, from)
      const lastOp = kind === 'AssignStatement' ? node.node.getChildren('AssignOp').at(-1)?.from : undefined
      const own = lastOp === undefined ? (first[kind] ?? 'reads') : 'binds'
      open.push({ kind, mode: wrappers.has(kind) ? (parent?.mode ?? own) : own, statement, lastOp })
      if (/Body$/.test(kind)) depth++
      if (kind === 'FunctionDefinition') functions++
    },
    leave({ name: kind }) {
      open.pop()
      if (/Body$/.test(kind)) depth--
      if (kind === 'FunctionDefinition') functions--
    },
  })
  return statements.map((one) => (one.column > least ? { ...one, depth: Math.max(one.depth, 1) } : one))
}

/** Changes what the names behind a part of an open node are. */
function turn(parent: OpenNode, kind: string, from: number): void {
  if (from === parent.lastOp) parent.mode = 'reads'
  else if (parent.kind === 'AssignStatement' && parent.statement) parent.statement.value = { kind, from }
  else
    parent.mode =
      turns.find(([inside, mark]) => mark.test(kind) && inside.test(parent.kind))?.[2] ?? parent.mode
}

/** Returns what tells the columns of places that are given in order, and whether a place is the first of its line. */
function createColumnReader(source: string) {
  let [at, lineStart, indent] = [0, 0, 0]
  return (from: number) => {
    for (; at < from; at++) if (source[at] === '\n') lineStart = indent = at + 1
    while (indent < from && /[ \t]/.test(source[indent] as string)) indent++
    return { column: from - lineStart, beginsLine: indent === from }
  }
}

/** Parses Python code into the parser's own tree, in which also code with errors has its place. */
export function treeOf(source: string) {
  const { parser } = loadPackage('@lezer/python') as typeof import('@lezer/python')
  return parser.parse(source)
}

const attribute = /\.\w+/y
const call = /\s*\(/y
const keyword = /\s*=(?!=)/y

function addName(
  source: string,
  { from, to }: { from: number; to: number },
  parent: { kind: string; mode: Mode },
  statement: Statement,
): void {
  const { names } = statement
  const { kind, mode } = parent
  // Only the first name of a definition is its own.
  if (/Definition$/.test(kind)) parent.mode = 'reads'
  if (mode === 'skip' || (kind === 'ArgList' && matchAt(keyword, source, to))) return
  if (mode === 'rename') names.pop()
  const name = source.slice(from, to)
  const path = name + (matchAt(attribute, source, to) ?? '')
  const isCalled = matchAt(call, source, from + path.length) !== undefined
  const isFirst = names.length === 0 && /^(?:Expression|Assign|Update|Delete)Statement$/.test(statement.kind)
  if (isFirst && /[.[]/.test(source[to] ?? '')) statement.changes = name
  names.push({ name, use: mode === 'rename' ? 'binds' : mode, path, isCalled })
}

function matchAt(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at
  return pattern.exec(text)?.[0]
}

/** Returns the names of statements that have one of these uses. */
export function namesOf(statements: readonly Statement[], ...uses: Name['use'][]): string[] {
  const found: string[] = []
  for (const { names } of statements)
    for (const { name, use } of names) if (uses.includes(use)) found.push(name)
  return found
}
