import { nameOf, nodeAt, parseSource, type SyntaxNode } from '../../base/syntax-tree.ts'

/** A script that asserts by `console.assert`, as a test file. */
export interface AssertingTests {
  text: string
  /** The number of its tests: one for each `console.assert` in the source. */
  count: number
}

interface AssertingScript {
  source: string
  /** The tested function, and the module that exports it, by a relative path. */
  name: string
  module: string
  /** Code that the script may rely on, such as helpers that a prompt defines. */
  preamble: string
}

/**
 * Returns a CommonJS file for node:test with one test for each `console.assert` of a script. `console.assert` itself neither throws nor
 * sets the exit code. The script runs once; a test fails if its assert fails, or is not reached. Undefined if it cannot be parsed.
 */
export function assertingTests({
  source,
  name,
  module,
  preamble,
}: AssertingScript): AssertingTests | undefined {
  const parsed = parseSource(source, 'tests.cjs')
  if ('error' in parsed) return undefined
  const calls = assertCalls(parsed.statements)
  const names = calls.map((call) => conditionOf(source, call))
  let script = source
  for (const [i, call] of [...calls.entries()].reverse()) {
    const { start, end } = nodeAt(call, 'callee') as SyntaxNode
    script = `${script.slice(0, start as number)}$assert(${i})${script.slice(end as number)}`
  }
  return { text: testFile({ source: script, name, module, preamble }, names), count: calls.length }
}

function assertCalls(statements: readonly SyntaxNode[]): SyntaxNode[] {
  const calls: SyntaxNode[] = []
  const nodes: unknown[] = [...statements]
  for (let node = nodes.pop(); node !== undefined; node = nodes.pop()) {
    if (Array.isArray(node)) nodes.push(...node)
    else if (typeof node === 'object' && node !== null && 'type' in node) {
      if (isAssert(node as SyntaxNode)) calls.push(node as SyntaxNode)
      nodes.push(...Object.values(node))
    }
  }
  return calls.sort((a, b) => (a.start as number) - (b.start as number))
}

function isAssert(node: SyntaxNode): boolean {
  const callee = node.type === 'CallExpression' ? nodeAt(node, 'callee') : undefined
  if (callee?.type !== 'MemberExpression' || callee.computed === true) return false
  return nameOf(nodeAt(callee, 'object')) === 'console' && nameOf(nodeAt(callee, 'property')) === 'assert'
}

const longestName = 120

function conditionOf(source: string, call: SyntaxNode): string {
  const [condition] = call.arguments as SyntaxNode[]
  const text = condition ? source.slice(condition.start as number, condition.end as number) : 'nothing'
  const line = text.replace(/\s+/g, ' ')
  return line.length <= longestName ? line : `${line.slice(0, longestName)}…`
}

const testFile = ({ source, name, module, preamble }: AssertingScript, names: readonly string[]) =>
  `const assert = require('node:assert')
const { test } = require('node:test')
const loaded = require('${module}')

const names = ${JSON.stringify(names, null, 2)}
const held = names.map(() => undefined)
let problem
try {
  run(loaded.${name} ?? loaded, (i) => (condition) => {
    held[i] = Boolean(condition) && held[i] !== false
  })
} catch (error) {
  problem = error
}
for (const [i, name] of names.entries())
  test(name, () => {
    if (held[i] === undefined) throw problem ?? new Error('was not reached')
    assert.ok(held[i], 'does not hold')
  })

function run(${name}, $assert) {
${[preamble, source].filter((part) => part.trim() !== '').join('\n\n')}
}
`
