// Asks the planner for a plan of the task.
import { ask } from './ask.mjs'
import { runStage } from './run-stage.mjs'
import { filesContext } from './work-context.mjs'

const prompt =
  'Write a plan for the task below: which files to change and how, in which order, and how to see that the work is right. Do not do the work. Reply with the plan alone, in at most 40 lines.'

await runStage('plan', { asks: true }, async ({ state, workspace }) => {
  const plan = await ask('planner', prompt, { show: { task: state.task, files: filesContext(workspace) } })
  const { length: lines } = plan.trim().split('\n')
  return { state: { ...state, plan }, detail: `a plan of ${lines} ${lines === 1 ? 'line' : 'lines'}` }
})
