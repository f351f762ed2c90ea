import { changedFiles } from '../../agents/mutants/mutant-pool.ts'
import { mutants } from '../../agents/mutants/mutate.ts'
import { wrongAnswers } from '../../agents/mutants/wrong-answers.ts'
import { referenceOf } from '../../agents/reference.ts'
import { type Solution, type Task, wantsText } from '../../schema/task.ts'
import { shorten } from '../../text/shorten.ts'

/** A whole text is too long to name an answer. */
const longestLabel = 80

/** A reference solution with one small error. */
interface GeneratedMutant {
  /** What was changed, and where. */
  label: string
  submission: Solution
}

/** Returns at most `most` small errors in a task's reference. They depend on the task alone. Whether one is wrong only grading says. */
export function generatedMutants(task: Task, most: number): GeneratedMutant[] {
  const reference = referenceOf(task)
  if (!reference || most === 0) return []
  if ('answer' in reference)
    return wrongAnswers(task, reference.answer)
      .slice(0, most)
      .map((answer) => ({
        label: `the answer ${shorten(JSON.stringify(answer), longestLabel)}`,
        submission: { answer: wantsText(task.spec) ? answer : `Answer: ${answer}` },
      }))
  const { files } = reference
  const made: GeneratedMutant[] = []
  for (const { path, content, label } of mutants(changedFiles(task, files), task.digest)) {
    if (made.length === most) break
    made.push({ label, submission: { files: { ...files, [path]: content } } })
  }
  return made
}
