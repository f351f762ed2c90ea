import { gradeLeft } from '../graders/grader-contract.ts'
import { sampleTask } from '../runs/sample-task.ts'

/** Creates a task with one grader and an expected answer. */
export const answerTask = (grader: Record<string, unknown>, solution?: string) =>
  sampleTask({
    spec: { output: 'answer', editable: [], graders: [grader] },
    ...(solution === undefined ? {} : { solution: { answer: solution } }),
  })

/** Whether the grader passes an answer. */
export const passes = async (grader: Record<string, unknown>, answer: string, solution?: string) =>
  (await gradeLeft(answerTask(grader, solution), { answer })).passed
