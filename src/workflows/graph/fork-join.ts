import type { PatternNode } from '../../schema/graph/node.ts'
import type { Compiler, PatternPlace } from './compiler.ts'
import { byName, inside } from './inside.ts'

/** A chain for each branch, side by side, and a step that joins their last steps. Returns it. */
export function compileForkJoin(
  { branches, join }: PatternNode & { pattern: 'fork_join' },
  place: PatternPlace,
  compiler: Compiler,
): string {
  const { id, needs, names } = place
  const parts = inside(place, 'fork_join')
  const last = byName(branches).map(([name, nodes]) => {
    const branch = `p::${id}::${name}`
    return compiler.chain(nodes, {
      needs,
      parts,
      names: [branch, ...names],
      prefix: `${branch}::`,
      scope: `${id}.${name}`,
    })
  })
  return compiler.slot(join, {
    id: `p::${id}::join`,
    scope: `${id}.join`,
    needs: last,
    parts: inside(place, 'fork_join', { joins: true }),
    names,
  })
}
