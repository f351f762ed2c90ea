import type { PatternNode } from '../../schema/graph/node.ts'
import type { Compiler, PatternPlace } from './compiler.ts'
import { byName, inside } from './inside.ts'

/** Candidates side by side, and a referee that names one of them. Returns the referee. */
export function compileReferee(
  { candidates, referee }: PatternNode & { pattern: 'referee' },
  place: PatternPlace,
  compiler: Compiler,
): string {
  const { id, needs, names } = place
  const parts = inside(place, 'referee')
  const last = byName(candidates).map(([name, candidate]): [string, string] => [
    name,
    compiler.slot(candidate, { id: `p::${id}::${name}`, scope: `${id}.${name}`, needs, parts, names }),
  ])
  const step = typeof referee === 'string' ? { task: referee } : referee
  return compiler.step(
    // The winner's files count, so what the candidates changed is no conflict.
    { ...step, conflict: step.conflict ?? 'last' },
    {
      id: `p::${id}::referee`,
      needs: last.map(([, step]) => step),
      parts: inside(place, 'referee', { joins: true }),
      names,
      does: { kind: 'choose', candidates: Object.fromEntries(last) },
    },
  )
}
