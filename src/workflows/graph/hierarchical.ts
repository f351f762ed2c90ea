import type { PatternNode } from '../../schema/graph/node.ts'
import type { Compiler, PatternPlace } from './compiler.ts'
import { byName, inside } from './inside.ts'

/** A boss that adds tasks for workers at run time, round by round. Returns the step that finishes, or else the first one of the boss. */
export function compileHierarchical(
  { boss, workers, max_tasks, rounds, finish }: PatternNode & { pattern: 'hierarchical' },
  place: PatternPlace,
  compiler: Compiler,
): string {
  const { id, needs, names } = place
  const all = `p::${id}::boss`
  const first = compiler.step(boss, {
    id: `${all}::r1`,
    needs,
    parts: inside(place, 'hierarchical', { turn: 1 }),
    names: [all, ...names],
    does: {
      kind: 'assign',
      prefix: `p::${id}::`,
      round: 1,
      rounds,
      max: max_tasks,
      boss: compiler.work(boss, [all, ...names]),
      workers: Object.fromEntries(
        byName(workers).map(([name, worker]) => [
          name,
          compiler.work(worker, [`p::${id}::${name}`, ...names]),
        ]),
      ),
      before: [],
    },
  })
  if (finish === undefined) return first
  return compiler.slot(finish, {
    id: `p::${id}::finish`,
    scope: `${id}.finish`,
    needs: [first],
    parts: inside(place, 'hierarchical', { joins: true }),
    names,
  })
}
