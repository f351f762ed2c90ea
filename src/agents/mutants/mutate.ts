import { seededRandom, shuffled } from '../../base/random.ts'
import type { Files } from '../../schema/task.ts'
import { pythonEdits, valueEdits } from './python-edits.ts'
import { type Edit, scriptEdits } from './script-edits.ts'

/** Version of the operators, their order and the judging of mutants. Another version makes other pools. */
export const mutationEngine = 4

interface Mutant {
  path: string
  content: string
  /** `operator at path:line`. */
  label: string
}

/**
 * Yields all single-site mutants of JavaScript, TypeScript, JSON and Python files. The order depends only on the seed and alternates
 * between operators, so that the first few are of different kinds.
 */
export function* mutants(files: Files, seed: string): Generator<Mutant> {
  const random = seededRandom(`mutants/${seed}`)
  const kinds = new Map<string, { path: string; edit: Edit }[]>()
  for (const path of Object.keys(files).sort())
    for (const edit of editsOf(files[path] as string, path)) {
      const found = kinds.get(edit.operator) ?? []
      if (found.push({ path, edit }) === 1) kinds.set(edit.operator, found)
    }
  const queues = shuffled([...kinds], random).map(
    ([operator, edits]) => [operator, shuffled(edits, random)] as const,
  )
  for (let round = 0; queues.some(([, edits]) => round < edits.length); round++) {
    for (const [operator, edits] of queues) {
      const chosen = edits[round]
      if (!chosen) continue
      const { path, edit } = chosen
      const source = files[path] as string
      const before = source.slice(0, edit.start)
      const content = before + edit.text + source.slice(edit.end)
      const line = before.split('\n').length
      yield { path, content, label: `${operator} at ${path}:${line}` }
    }
  }
}

function editsOf(source: string, path: string): Edit[] {
  const edits = /\.[cm]?[jt]s$/.test(path)
    ? scriptEdits(source, path)
    : path.endsWith('.py')
      ? pythonEdits(source)
      : path.endsWith('.json')
        ? valueEdits(source)
        : []
  return edits.toSorted((a, b) => a.start - b.start)
}
