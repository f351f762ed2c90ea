import { nameOf, nodeAt, nodesAt, parseSource, type SyntaxNode } from '../../base/syntax-tree.ts'

/** How many tests of a file run. */
export interface TestCount {
  /** Those that run; a test in a loop or a condition counts once. */
  live: number
  /** Whether no more can run. */
  exact: boolean
}

interface SpecText {
  /** The spec with its `xtest`, `xit` and `xdescribe` switched on; `test.skip` stays. */
  switchedOn: string
  /** The tests of the spec as it is, and with all switched on. */
  shipped: TestCount
  all: TestCount
  /** Why the spec needs the solution in its own process, if it does. */
  sharing?: string
}

/** What an inactive function stands for. */
const active: Readonly<Record<string, string>> = { xtest: 'test', xit: 'it', xdescribe: 'describe' }
const testNames = new Set(['test', 'it', 'xtest', 'xit', 'fit'])
const blockNames = new Set(['describe', 'xdescribe', 'fdescribe'])

/** Reads a spec of Jest, JavaScript or TypeScript; returns why it cannot be read, with line and column. */
export function readSpec(text: string, path: string): SpecText | { error: string } {
  const parsed = parseSource(text, path)
  if ('error' in parsed) return parsed
  const calls: Call[] = []
  for (const statement of parsed.statements) collectCalls(statement, calls, { times: 1, isDynamic: false })
  const edits = calls.flatMap(({ base }) => {
    const name = active[base.name as string]
    return name === undefined ? [] : [{ start: base.start as number, end: base.end as number, text: name }]
  })
  return {
    switchedOn: applyEdits(text, edits),
    shipped: countTests(calls, true),
    all: countTests(calls, false),
    ...needToShare(text, parsed.statements),
  }
}

/** Where a call stands: how often it runs by the tables around it, and whether that is known. */
interface Place {
  times: number
  isDynamic: boolean
  /** The `describe` calls around it. */
  blocks?: readonly Call[]
}

interface Call extends Place {
  base: SyntaxNode
  members: readonly string[]
}

function countTests(calls: readonly Call[], asShipped: boolean): TestCount {
  const isOff = ({ base, members }: Call) =>
    members.includes('skip') ||
    members.includes('todo') ||
    (asShipped && active[base.name as string] !== undefined)
  const isOnly = ({ base, members }: Call) =>
    members.includes('only') || base.name === 'fit' || base.name === 'fdescribe'
  const hasOnly = calls.some(isOnly)
  const live = calls.filter(
    (call) =>
      testNames.has(call.base.name as string) &&
      ![call, ...(call.blocks ?? [])].some(isOff) &&
      (!hasOnly || [call, ...(call.blocks ?? [])].some(isOnly)),
  )
  return {
    live: live.reduce((sum, { times }) => sum + times, 0),
    exact: live.every(({ isDynamic }) => !isDynamic),
  }
}

function collectCalls(node: SyntaxNode, calls: Call[], place: Place): void {
  const call = node.type === 'CallExpression' ? readCall(node, place) : undefined
  if (!call) {
    const inner = mayRepeat(node) ? { ...place, isDynamic: true } : place
    for (const child of childrenOf(node)) collectCalls(child, calls, inner)
    return
  }
  calls.push(call)
  if (!blockNames.has(call.base.name as string)) return
  const { times, isDynamic } = call
  for (const body of nodesAt(node, 'arguments'))
    for (const child of childrenOf(body))
      collectCalls(child, calls, { times, isDynamic, blocks: [...(place.blocks ?? []), call] })
}

/** Loops, conditions and functions run their body any number of times. */
const mayRepeat = ({ type }: SyntaxNode) =>
  /^(?:For|While|DoWhile|If|Switch|Try|Conditional|Logical|Function|Arrow|Class)/.test(type)

function readCall(node: SyntaxNode, place: Place): Call | undefined {
  let callee = nodeAt(node, 'callee')
  const members: string[] = []
  let rows: number | undefined = 1
  while (callee) {
    if (callee.type === 'MemberExpression') {
      members.unshift(nameOf(nodeAt(callee, 'property')) ?? '')
      callee = nodeAt(callee, 'object')
    } else if (callee.type === 'CallExpression' && endsInEach(nodeAt(callee, 'callee'))) {
      rows = rowsOf(nodesAt(callee, 'arguments')[0])
      callee = nodeAt(callee, 'callee')
    } else if (callee.type === 'TaggedTemplateExpression' && endsInEach(nodeAt(callee, 'tag'))) {
      rows = undefined
      callee = nodeAt(callee, 'tag')
    } else break
  }
  const name = callee?.type === 'Identifier' ? (callee.name as string) : ''
  if (
    !callee ||
    !(testNames.has(name) || blockNames.has(name)) ||
    (members.at(-1) === 'each') !== isTable(node)
  )
    return undefined
  return {
    base: callee,
    members,
    times: place.times * (rows ?? 1),
    isDynamic: place.isDynamic || rows === undefined,
    ...(place.blocks && { blocks: place.blocks }),
  }
}

const endsInEach = (callee: SyntaxNode | undefined) =>
  callee?.type === 'MemberExpression' && nameOf(nodeAt(callee, 'property')) === 'each'

const isTable = (node: SyntaxNode) => {
  const callee = nodeAt(node, 'callee')
  return (
    (callee?.type === 'CallExpression' && endsInEach(nodeAt(callee, 'callee'))) ||
    (callee?.type === 'TaggedTemplateExpression' && endsInEach(nodeAt(callee, 'tag')))
  )
}

function rowsOf(table: SyntaxNode | undefined): number | undefined {
  if (table?.type !== 'ArrayExpression') return undefined
  const rows = nodesAt(table, 'elements')
  return rows.some(({ type }) => type === 'SpreadElement') ? undefined : rows.length
}

/** So many calls of another process take longer than a test may. */
const mostRounds = 5000

/**
 * Returns why a spec needs the solution in its own process: it starts the solution as a program, its timers race, or it calls the
 * solution thousands of times. Skipped tests do not count.
 */
function needToShare(text: string, statements: readonly SyntaxNode[]): { sharing?: string } {
  if (/['"](?:node:)?child_process['"]/.test(text)) return { sharing: 'start programs' }
  const seen = { durations: new Set<unknown>(), rounds: 0, numbers: new Map<string, number>() }
  for (const statement of statements) look(statement, seen)
  if (seen.durations.size > 1) return { sharing: 'let timers race' }
  return seen.rounds >= mostRounds ? { sharing: 'call it thousands of times' } : {}
}

interface Seen {
  durations: Set<unknown>
  rounds: number
  /** The constants that are numbers. */
  numbers: Map<string, number>
}

function look(node: SyntaxNode, seen: Seen): void {
  if (isSkipped(node)) return
  if (node.type === 'VariableDeclarator') {
    const value = numberOf(nodeAt(node, 'init'), seen)
    if (value !== undefined) seen.numbers.set(nameOf(nodeAt(node, 'id')) ?? '', value)
  }
  if (
    node.type === 'CallExpression' &&
    /^set(?:Timeout|Interval)$/.test(nameOf(nodeAt(node, 'callee')) ?? '')
  ) {
    const duration = nodesAt(node, 'arguments')[1]
    const known = numberOf(duration, seen)
    // A duration that is computed may be any.
    if (known !== undefined) seen.durations.add(known)
    else if (duration) seen.durations.add('a').add('b')
  }
  if (node.type === 'ForStatement')
    seen.rounds = Math.max(seen.rounds, numberOf(nodeAt(nodeAt(node, 'test'), 'right'), seen) ?? 0)
  for (const child of childrenOf(node)) look(child, seen)
}

function isSkipped(node: SyntaxNode): boolean {
  const callee = node.type === 'CallExpression' ? nodeAt(node, 'callee') : undefined
  return callee?.type === 'MemberExpression' && nameOf(nodeAt(callee, 'property')) === 'skip'
}

function numberOf(node: SyntaxNode | undefined, { numbers }: Seen): number | undefined {
  if (node?.type === 'NumericLiteral') return node.value as number
  return node?.type === 'Identifier' ? numbers.get(node.name as string) : undefined
}

/** Returns the nodes in a node, in the order of the source. */
export function childrenOf(node: SyntaxNode): SyntaxNode[] {
  return Object.entries(node).flatMap(([property, value]) => {
    if (property === 'loc' || property.endsWith('Comments')) return []
    return Array.isArray(value) ? value.filter(isNode) : isNode(value) ? [value] : []
  })
}

const isNode = (value: unknown): value is SyntaxNode =>
  typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string'

/** A replacement of a range of a text. */
export interface Edit {
  start: number
  end: number
  text: string
}

/** Returns a text after edits, which do not overlap. */
export function applyEdits(text: string, edits: readonly Edit[]): string {
  let result = ''
  let from = 0
  for (const edit of [...edits].sort((a, b) => a.start - b.start)) {
    result += text.slice(from, edit.start) + edit.text
    from = edit.end
  }
  return result + text.slice(from)
}
