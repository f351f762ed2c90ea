import { z } from 'zod'
import type { KindOfWork } from '../src/ask.ts'
import { defineStrategy } from '../src/strategy.ts'
import { endWith } from '../src/workflows/end.ts'
import { createTeam } from '../src/workflows/team.ts'
import {
  chosenWorkflow,
  withWorkflows,
  workflowOptions,
  workflowRoles,
} from '../src/workflows/waves/workflow-choice.ts'
import { wavesOf, workflowsFlow } from '../src/workflows/waves/workflow-file.ts'
import { mergeFiles } from '../src/workflows/work-context.ts'

// The roles of the workflows that come with the method; other workflows name their own.
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
    .describe('maximum number of changes that one stage may request, even if its workflow allows more'),
})

/**
 * Stages of a workflow run in waves and hand on what they made, each in its agent's own format; a later stage may ask an
 * earlier one for changes.
 */
export const collaboration = defineStrategy({
  name: 'collaboration',
  summary:
    'Stages of a workflow in YAML hand on what they made; a later stage may ask an earlier one for changes.',
  roles,
  declaration: (options) => ({
    flow: workflowsFlow(options),
    stop: 'all stages have run, and none wants changes any more or may ask for them',
    context: 'the task, and what the stages that it depends on handed on, in its own format',
  }),
  options: Options,
  document: 'workflow',
  resolve: withWorkflows,
  rolesOf: workflowRoles,

  async run(context) {
    const { options, workspace, branch, candidate } = context
    const workflow = chosenWorkflow(options, workspace)
    const team = await createTeam(context, workflow)

    for (const wave of wavesOf(workflow.stages)) {
      const [only] = wave
      if (wave.length === 1 && only) team.keep(await team.ask(context, only))
      else {
        const runs = await Promise.all(
          wave.map((stage) => branch(stage.stage, (inner) => team.ask(inner, stage))),
        )
        for (const run of runs) team.keep(run)
        const made = runs.filter(team.hasWork)
        const conflicts = mergeFiles(
          workspace,
          made.map((run) => run.workspace),
        )
        team.conflicts.push(...conflicts)
        if (made.length > 1) candidate(made.at(-1)?.output?.work)
      }
      team.requireWork(wave)

      for (const stage of wave) {
        const most = Math.min(stage.iterates?.most ?? 0, options.iterations)
        for (let round = 1; round <= most; round++) {
          const wanted = team.changeFor(stage)
          if (!wanted) break
          team.keep(await team.ask(context, wanted.target, wanted.change))
          team.keep(await team.ask(context, stage))
        }
      }
    }
    return endWith(context, team.result())
  },
})
