import { askMissing } from './ask-missing.ts'
import { finishTask, idProblem, tagsOf } from './finish-task.ts'
import { newTaskFolder } from './write-task.ts'

interface QuestionOptions {
  id?: string
  question?: string
  answer?: string
  options?: string
  tolerance?: string
  title?: string
  tag?: string
  out: string
}

const command = 'bench tasks new question'

/** `bench tasks new question` writes a task that asks for an answer, and proves it. */
export default async function newQuestion(given: QuestionOptions): Promise<number> {
  const { id, question, answer, options } = await askMissing(command, given, [
    { name: 'id', question: 'a short name of the task, such as train-times', problem: idProblem },
    { name: 'question', question: 'the question, in one line', problem: emptyProblem },
    { name: 'answer', question: 'the right answer', problem: emptyProblem },
    { name: 'options', question: 'the options, separated by |, if it is a choice', usual: '' },
  ])
  const folder = newTaskFolder(given.out, id)
  const choices = options
    .split('|')
    .map((option) => option.trim())
    .filter(Boolean)
  const grader = graderOf(answer, choices, given.tolerance)
  return finishTask(folder, {
    spec: {
      id,
      title: given.title ?? (question.length > 80 ? `${question.slice(0, 79)}…` : question),
      output: 'answer',
      graders: [grader],
      ...tagsOf(given.tag),
    },
    instruction:
      choices.length > 0 ? `${question}\n\n${choices.map((option) => `- ${option}`).join('\n')}` : question,
    solution: { 'answer.txt': `${answer}\n` },
  })
}

const emptyProblem = (text: string) => (text.trim() === '' ? 'is empty' : undefined)

/** A choice if there are options, a number if the answer is one, else a text. */
function graderOf(answer: string, options: string[], tolerance: string | undefined) {
  if (options.length > 0) return { kind: 'choice' as const, options }
  const isNumber = tolerance !== undefined || /^[-+]?[\d.,]*\d[\d.,]*%?$/.test(answer.trim())
  return isNumber
    ? { kind: 'numeric' as const, ...(tolerance !== undefined && { tolerance: Number(tolerance) }) }
    : { kind: 'exact' as const }
}
