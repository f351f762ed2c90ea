// Asks the builder to do the task, or to mend what was found wrong, and checks the build.
import { ask } from './ask.mjs'
import { runStage } from './run-stage.mjs'
import { checkBuild } from './run-tool.mjs'
import { filesContext, rawBeside } from './work-context.mjs'

const prompts = {
  begin: 'Solve the task by the plan.',
  mend: 'Your last work on the task was checked. Mend what is wrong with it, and nothing else. The problems are given as JSON.',
}

await runStage('build', { asks: true }, async (workflow) => {
  const { state, workspace } = workflow
  const problems = problemsOf(state)
  const begins = problems === undefined
  const show = {
    plan: state.plan,
    files: filesContext(workspace),
    problems,
    'last reply': begins ? undefined : lastReply(state),
  }
  const answer = await ask('builder', begins ? prompts.begin : prompts.mend, { show })
  const { results: build, missing } = await checkBuild(workflow)
  // What was found out about the earlier work does not hold for this one.
  const { build_results, test_results, test_gen_results, review, documentation, ship, ...rest } = state
  const built = state.stages.filter(({ stage }) => stage === 'build').length
  const next = {
    ...rest,
    round: Math.max(state.round, built + 1),
    answer,
    ...(build && { build_results: build }),
  }
  return { state: next, failed: build?.success === false, detail: detailOf(build, missing) }
})

/** A checker that is missing says nothing about the work. */
function detailOf(build, missing) {
  if (build === undefined)
    return missing
      ? `${missing}, so the build was not checked`
      : 'the builder replied; there is no build to check'
  const { errors } = build.summary
  const found = errors > 0 ? [`the build has ${errors} ${errors === 1 ? 'error' : 'errors'}`] : []
  const parts = build.success ? ['the build is good'] : [...found, ...(build.raw ? [build.raw.reason] : [])]
  return [...parts, ...(missing ? [`${missing}, so this part was not checked`] : [])].join('; ')
}

function problemsOf({ build_results: build, test_results: test, review }) {
  const problems = {
    ...(build &&
      !build.success &&
      (build.output === undefined ? { build_errors: build.errors } : { build_output: build.output })),
    ...(build && !build.success && { raw_build: rawBeside(build).raw }),
    ...(test &&
      !test.success &&
      (test.output === undefined ? { test_failures: test.failures } : { test_output: test.output })),
    ...(test && !test.success && { raw_test: rawBeside(test).raw }),
    ...(review?.verdict === 'revise' && {
      review: review.blocking.length > 0 ? review.blocking : [review.comments],
    }),
  }
  return Object.keys(problems).length > 0 ? JSON.stringify(problems) : undefined
}

/** Where the answer is the work, the builder must see it to mend it. */
function lastReply({ output, answer }) {
  return output === 'answer' ? answer : undefined
}
