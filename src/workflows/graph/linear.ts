import type { PatternNode } from '../../schema/graph/node.ts'
import type { Compiler, PatternPlace } from './compiler.ts'
import { inside } from './inside.ts'

/** Steps one after another. Returns the last one. */
export function compileLinear(
  { steps }: PatternNode & { pattern: 'linear' },
  place: PatternPlace,
  compiler: Compiler,
): string {
  const { id, needs, names } = place
  return compiler.chain(steps, {
    needs,
    parts: inside(place, 'linear'),
    names,
    prefix: `p::${id}::`,
    scope: id,
  })
}
