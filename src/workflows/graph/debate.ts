import type { PatternNode } from '../../schema/graph/node.ts'
import type { Compiler, PatternPlace } from './compiler.ts'
import { byName, inside } from './inside.ts'

/** Rounds in which each debater reads all replies of the round before, its own included, and a judge of the last round. Returns the judge. */
export function compileDebate(
  { debaters, rounds, judge }: PatternNode & { pattern: 'debate' },
  place: PatternPlace,
  compiler: Compiler,
): string {
  const { id, names } = place
  let needs = place.needs
  for (let turn = 1; turn <= rounds; turn++)
    needs = byName(debaters).map(([name, debater]) => {
      const all = `p::${id}::${name}`
      return compiler.step(debater, {
        id: `${all}::r${turn}`,
        needs,
        parts: inside(place, 'debate', { turn }),
        names: [all, ...names],
      })
    })
  return compiler.step(judge, {
    id: `p::${id}::judge`,
    needs,
    parts: inside(place, 'debate', { joins: true }),
    names,
  })
}
