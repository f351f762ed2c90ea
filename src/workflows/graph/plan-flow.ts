import type { GraphPlan } from '../../schema/graph/plan.ts'
import type { Flow } from '../../schema/method/declaration.ts'
import { addedRoles } from './plan-roles.ts'

/** Returns the declared flow of a plan: who is asked in which step, and which steps may add others. */
export const planFlow = ({ steps }: GraphPlan): Flow => ({
  graph: steps.map((step) => {
    const { id, role, needs: after, does } = step
    if (!does || does.kind === 'choose') return { id, role, after }
    return {
      id,
      role,
      after,
      open: true as const,
      inserts: { prefix: does.prefix, roles: addedRoles(step) },
    }
  }),
})
