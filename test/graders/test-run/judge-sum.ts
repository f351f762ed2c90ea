import { gradeLeft } from '../../helpers/graders/grader-contract.ts'
import { codeTask } from '../../helpers/runs/sample-task.ts'

/** What grading says of a solution of the task to add and double. */
export async function judge(source: string, of = codeTask()) {
  const { scores, passed } = await gradeLeft(of, { files: { 'src/sum.mjs': source } })
  return { passed, value: scores[0]?.value, reason: scores[0]?.reason, tests: scores[0]?.tests }
}

/** The same of one that is wrong. */
export const failed = { passed: false, value: 0 }
