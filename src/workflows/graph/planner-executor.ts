import type { PatternNode } from '../../schema/graph/node.ts'
import type { Compiler, PatternPlace } from './compiler.ts'
import { inside } from './inside.ts'

/** A planner that adds executors at run time. Returns the step that finishes, or else the planner. */
export function compilePlannerExecutor(
  { planner, executor, max_steps, order, finish }: PatternNode & { pattern: 'planner_executor' },
  place: PatternPlace,
  compiler: Compiler,
): string {
  const { id, needs, names } = place
  const execute = `p::${id}::execute`
  const plan = compiler.step(planner, {
    id: `p::${id}::plan`,
    needs,
    parts: inside(place, 'planner_executor'),
    names,
    does: {
      kind: 'plan',
      prefix: `${execute}::`,
      max: max_steps,
      order,
      executor: compiler.work(executor, [execute, ...names]),
      before: [],
    },
  })
  if (finish === undefined) return plan
  return compiler.slot(finish, {
    id: `p::${id}::finish`,
    scope: `${id}.finish`,
    needs: [plan],
    parts: inside(place, 'planner_executor', { joins: true }),
    names,
  })
}
