import { gradeLeft } from '../../helpers/graders/grader-contract.ts'
import { codeTask } from '../../helpers/runs/sample-task.ts'

/** Grades a solution of the task with `add` and `double`. */
export async function judge(source: string, of = codeTask()) {
  const { scores, passed } = await gradeLeft(of, { files: { 'src/sum.mjs': source } })
  return { passed, value: scores[0]?.value, reason: scores[0]?.reason, tests: scores[0]?.tests }
}

/** Grades a wrong solution. */
export const failed = { passed: false, value: 0 }
