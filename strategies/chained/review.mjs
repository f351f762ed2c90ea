// Asks the reviewer whether the work is good enough.
import { ask } from './ask.mjs'
import { runStage } from './run-stage.mjs'
import { commitWork, resultsContext, workContext } from './work-context.mjs'

const prompt =
  'Review the work below against its task. Approve it if it does what the task asks. Else say `revise`, and name each thing that must change under `blocking`, so that somebody who sees nothing else can mend it. Whatever is under `blocking` counts as `revise`; remarks that need no change belong under `comments`.'

const shape = {
  type: 'object',
  properties: {
    verdict: { type: 'string', enum: ['approve', 'revise'] },
    comments: { type: 'string' },
    blocking: { type: 'array', items: { type: 'string' } },
  },
  required: ['verdict', 'comments', 'blocking'],
  additionalProperties: false,
}

await runStage('review', { asks: true }, async (workflow) => {
  const { state } = workflow
  const work = workContext(state, await commitWork(workflow))
  const show = { task: state.task, plan: state.plan, ...work, results: resultsContext(state) }
  const { verdict, comments, blocking } = await ask('reviewer', prompt, { show, shape })
  const problems = blocking.filter((problem) => problem.trim() !== '')
  const count = problems.length
  // An approval that names what must change is none.
  const failed = verdict === 'revise' || count > 0
  const review = { verdict: failed ? 'revise' : 'approve', comments, blocking: problems }
  const detail = failed ? `revise: ${count} blocking ${count === 1 ? 'problem' : 'problems'}` : 'approved'
  return { state: { ...state, review }, failed, detail }
})
