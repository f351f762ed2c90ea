import { z } from 'zod'
import { createTeam } from '../src/orchestration/team.ts'
import { wavesOf, workflowsFlow } from '../src/orchestration/workflow/stage-order.ts'
import {
  chosenWorkflow,
  withWorkflows,
  workflowOptions,
  workflowRoles,
} from '../src/orchestration/workflow/workflow-choice.ts'
import { defineStrategy, type KindOfWork } from '../src/strategy.ts'

// Those of the workflows that come with it; others name their own.
const roles: Readonly<Record<string, KindOfWork>> = {
  architect: 'decide',
  coder: 'produce',
  reviewer: 'judge',
  documenter: 'summarise',
  'lead-architect': 'produce',
}
const Options = z.strictObject({
  ...workflowOptions,
  iterations: z
    .int()
    .min(0)
    .default(9)
    .describe('a stage asks for changes at most so often, whatever its workflow allows'),
})

/** Stages of a workflow hand on what they made, each in its agent's own format; a later one may send an earlier one back. */
export const collaboration = defineStrategy({
  name: 'collaboration',
  summary:
    'Stages of a workflow in YAML hand on what they made; a later stage may ask an earlier one for changes.',
  roles,
  declaration: (options) => ({
    flow: workflowsFlow(options),
    stop: 'all stages are through, and none wants changes any more or may ask for them',
    context: 'the task, and of the stages that it depends on what they handed on, in its own format',
  }),
  options: Options,
  resolve: withWorkflows,
  rolesOf: workflowRoles,

  async run(context) {
    const workflow = chosenWorkflow(context.options, context.workspace)
    const team = await createTeam(context, workflow)
    for (const wave of wavesOf(workflow.stages)) {
      await team.runSideBySide(wave)
      for (const stage of wave) {
        const most = Math.min(stage.iterates?.most ?? 0, context.options.iterations)
        for (let round = 1; round <= most; round++) {
          const change = team.requestOf(stage)
          if (!change) break
          await team.revise(stage, change)
        }
      }
    }
    return team.result()
  },
})
