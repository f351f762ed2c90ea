import { z } from 'zod'
import type { KindOfWork } from '../src/ask.ts'
import { GraphPlan } from '../src/schema/graph/plan.ts'
import { defineStrategy } from '../src/strategy.ts'
import { UserError } from '../src/text/errors.ts'
import { endWith } from '../src/workflows/end.ts'
import { choosePlan } from '../src/workflows/graph/choose-plan.ts'
import { planAgents, planFlow, planRoles } from '../src/workflows/graph/plan-roles.ts'
import { runPlan } from '../src/workflows/graph/run-plan.ts'

// The roles of the default document; other documents name their own.
const roles: Readonly<Record<string, KindOfWork>> = {
  planner: 'decide',
  sceptic: 'judge',
  maker: 'produce',
}

/** A document in YAML says who does what, and what each step needs; the same document always gives the same plan. */
export const dag = defineStrategy({
  name: 'dag',
  summary: 'Steps of a graph in YAML or JSON run as soon as the steps that they need have ended.',
  roles,
  declaration: ({ plan }) => ({
    flow: planFlow(planOf(plan)),
    stop: 'all steps have ended, and those that they added',
    context: 'the task or the input of the document, and the replies of the steps that it needs',
  }),
  options: z.strictObject({
    workflow: z
      .string()
      .min(1)
      .default('fork_join')
      .describe('file or name of the document; FILE#WORKFLOW chooses one of its workflows'),
    plan: GraphPlan.nullable().default(null).describe('what the document comes to; set by bench'),
  }),
  document: 'workflow',
  resolve(options, documents) {
    if (options.plan !== null)
      throw new UserError({
        where: 'option plan',
        what: 'bench sets this option itself',
        fix: 'Leave it out.',
      })
    return { ...options, plan: choosePlan(options.workflow, documents) }
  },
  rolesOf: ({ plan }) => planRoles(planOf(plan)),
  agentsOf: ({ workflow, plan }) => planAgents(planOf(plan), workflow),
  toolsOf: ({ plan }) => planOf(plan).tools ?? {},

  async run(context) {
    return endWith(context, await runPlan(context, planOf(context.options.plan)))
  },
})

function planOf(plan: GraphPlan | null): GraphPlan {
  if (!plan) throw new Error('no document was read before the run')
  return plan
}
