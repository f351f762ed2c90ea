import { seededRandom, shuffled } from '../../base/random.ts'
import type { Files } from '../../schema/task.ts'
import { operators } from './mutation-operators.ts'
import type { Edit, Site } from './mutation-site.ts'
import { type Syntax, sourceTokens } from './source-tokens.ts'

/** Version of the operators, their order and the judging of mutants. Another version makes other pools. */
export const mutationEngine = 3

interface Mutant {
  path: string
  content: string
  /** `operator at path:line`. */
  label: string
}

/** Returns the syntax of a file by its name; undefined if it cannot be mutated. */
function syntaxOf(path: string): Syntax | undefined {
  // JSON is read as JavaScript, whose operators leave texts alone: numbers and truth values change.
  if (/\.(?:[cm]?[jt]s|json)$/.test(path)) return 'javascript'
  return path.endsWith('.py') ? 'python' : undefined
}

/**
 * Yields all single-site mutants of JavaScript, TypeScript, JSON and Python files. The order depends only on the seed and alternates
 * between operators, so that the first few are of different kinds.
 */
export function* mutants(files: Files, seed: string): Generator<Mutant> {
  const random = seededRandom(`mutants/${seed}`)
  const kinds = new Map<string, { path: string; line: number; edit: Edit }[]>()
  for (const path of Object.keys(files).sort()) {
    for (const { operator, line, edit } of editsOf(files[path] as string, path)) {
      const found = kinds.get(operator) ?? []
      if (found.push({ path, line, edit }) === 1) kinds.set(operator, found)
    }
  }
  const queues = shuffled([...kinds], random).map(
    ([operator, edits]) => [operator, shuffled(edits, random)] as const,
  )
  for (let round = 0; queues.some(([, edits]) => round < edits.length); round++) {
    for (const [operator, edits] of queues) {
      const chosen = edits[round]
      if (!chosen) continue
      const { path, line, edit } = chosen
      const source = files[path] as string
      const content = source.slice(0, edit.start) + edit.text + source.slice(edit.end)
      yield { path, content, label: `${operator} at ${path}:${line}` }
    }
  }
}

function editsOf(source: string, path: string): { operator: string; line: number; edit: Edit }[] {
  const syntax = syntaxOf(path)
  if (!syntax) return []
  const tokens = sourceTokens(source, syntax)
  const site: Site = { source, syntax, tokens, index: 0, enclosing: enclosingBrackets(tokens) }
  return tokens.flatMap((token, index) =>
    Object.entries(operators).flatMap(([operator, apply]) =>
      apply({ ...site, index }).map((edit) => ({ operator, line: token.line, edit })),
    ),
  )
}

function enclosingBrackets(tokens: Site['tokens']): string[] {
  const open: string[] = []
  return tokens.map(({ kind, text }) => {
    if (kind !== 'operator') return open.at(-1) ?? ''
    if (')]}'.includes(text)) open.pop()
    const inside = open.at(-1) ?? ''
    if ('([{'.includes(text)) open.push(text)
    return inside
  })
}
