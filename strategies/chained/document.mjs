// Asks the documenter for a note on the change.
import { ask } from './ask.mjs'
import { runStage } from './run-stage.mjs'
import { commitWork, workContext } from './work-context.mjs'

const prompt =
  'The work below is accepted. Write a note on the change for the people who use and keep the code: what changed and why, what it means for them, what was checked. Reply with the note alone, in at most 400 words.'

await runStage('document', { asks: true }, async (workflow) => {
  const { state } = workflow
  const work = workContext(state, await commitWork(workflow))
  const documentation = await ask('documenter', prompt, {
    show: { task: state.task, plan: state.plan, ...work },
  })
  return { state: { ...state, documentation }, detail: 'a note on the change' }
})
