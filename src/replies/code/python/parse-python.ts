import { loadPackage } from '../../../base/load-package.ts'

/** A statement of Python, or the head of a compound one: the statements of its body follow it, one level deeper. */
export interface Statement {
  /** The name of the parser's node: `FunctionDefinition`, `AssignStatement`, `Decorator`. */
  kind: string
  /** 0 at the top level; there each statement begins its line, as far to the left as any. */
  depth: number
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

/** Code of more characters is read up to there: no reply is so long. */
const longestCode = 300_000

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

/** Divides Python code into statements with their names. Code with errors is divided as far as the parser can tell. */
export function parsePython(code: string): Statement[] {
  const source = code.slice(0, longestCode)
  const statements: Statement[] = []
  const open: { kind: string; mode: Mode; statement: Statement | undefined; lastOp?: number | undefined }[] =
    []
  let depth = 0
  let functions = 0
  const end = source.trimEnd().length
  treeOf(source).iterate({
    enter(node) {
      const { name: kind, from, to } = node
      const parent = open.at(-1)
      const isStatement = /(?:Statement|Definition|Decorator)$/.test(kind) && kind !== 'DecoratedStatement'
      const statement: Statement | undefined = isStatement
        ? {
            kind,
            depth,
            isInner: functions > 0,
            from,
            to: from + source.slice(from, to).trimEnd().length,
            names: [],
          }
        : parent?.statement
      if (isStatement) statements.push(statement as Statement)
      if (node.type.isError && statement && to < end) statement.isBroken = true
      if (kind === 'VariableName' && parent && statement) addName(source, node, parent, statement)
      else if (parent) {
        parent.mode =
          turns.find(([inside, mark]) => mark.test(kind) && inside.test(parent.kind))?.[2] ?? parent.mode
        if (from === parent.lastOp) parent.mode = 'reads'
        else if (parent.kind === 'AssignStatement' && parent.statement)
          parent.statement.value = { kind, from }
      }
      const lastOp = kind === 'AssignStatement' ? node.node.getChildren('AssignOp').at(-1)?.from : undefined
      const mode = wrappers.has(kind)
        ? (parent?.mode ?? 'reads')
        : lastOp === undefined
          ? (first[kind] ?? 'reads')
          : 'binds'
      open.push({ kind, mode, statement, lastOp })
      if (/Body$/.test(kind)) depth++
      if (kind === 'FunctionDefinition') functions++
    },
    leave({ name: kind }) {
      open.pop()
      if (/Body$/.test(kind)) depth--
      if (kind === 'FunctionDefinition') functions--
    },
  })
  const columns = statements.map(({ from }) => from - source.lastIndexOf('\n', from - 1) - 1)
  const least = columns.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY)
  return statements.map((one, i) => ({
    ...one,
    depth: (columns[i] as number) > least ? Math.max(one.depth, 1) : one.depth,
  }))
}

function treeOf(source: string) {
  const { parser } = loadPackage('@lezer/python') as typeof import('@lezer/python')
  return parser.parse(source)
}

/** Returns the lines, from 0, that begin within a string. */
export function linesInTexts(code: string): Set<number> {
  const lines = new Set<number>()
  let line = 0
  let at = 0
  treeOf(code).iterate({
    enter({ name, from, to }) {
      if (!/^(?:Format)?String$/.test(name)) return true
      for (; at < from; at++) if (code[at] === '\n') line++
      for (; at < to; at++) if (code[at] === '\n') lines.add(++line)
      return false
    },
  })
  return lines
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
export const namesOf = (statements: readonly Statement[], ...uses: Name['use'][]): string[] =>
  statements.flatMap(({ names }) => names.flatMap(({ name, use }) => (uses.includes(use) ? [name] : [])))
