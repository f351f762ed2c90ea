import { hasDecimalComma } from '../../replies/answers/found-numbers.ts'
import { matchOption } from '../../replies/answers/option-claims.ts'
import { pickNumber } from '../../replies/answers/pick-number.ts'
import { problemAt, UserError } from '../../text/errors.ts'
import { askMissing, saidNothingWritten, untilInterrupted } from './ask-missing.ts'
import { finishTask, idProblemIn, newTaskFolder, tagsOf } from './finish-task.ts'

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

/** `bench tasks new question` writes a task that asks for an answer, and proves it. */
export default async function newQuestion(given: QuestionOptions): Promise<number> {
  const tolerance = readTolerance(given.tolerance)
  const values = await askMissing('bench tasks new question', given, [
    {
      name: 'id',
      question: 'a short name of the task, such as train-times',
      problem: idProblemIn(given.out),
    },
    { name: 'question', question: 'the question, in one line', problem: emptyProblem },
    { name: 'options', question: 'the options, separated by |, or nothing if it is no choice', usual: '' },
    { name: 'answer', question: 'the right answer', problem: answerProblem },
  ])
  if (!values) return saidNothingWritten()
  const { id, question, answer, options } = values
  const folder = newTaskFolder(given.out, id)
  const choices = choicesOf(options)
  const grader = graderOf(answer, choices, tolerance)
  const parts = {
    spec: {
      id,
      title: given.title ?? (question.length > 80 ? `${question.slice(0, 79)}…` : question),
      output: 'answer' as const,
      graders: [grader],
      ...tagsOf(given.tag),
    },
    instruction:
      choices.length > 0 ? `${question}\n\n${choices.map((option) => `- ${option}`).join('\n')}` : question,
    solution: { 'answer.txt': `${answer}\n` },
  }
  return untilInterrupted((signal) => finishTask(folder, parts, { signal, generate: 4, next }))
}

const next = [
  'Change it as you like.',
  'Many questions are faster in a spreadsheet: bench tasks csv:FILE. Its rows may name any grader, a function or a judge, too.',
]

const choicesOf = (options = '') =>
  options
    .split('|')
    .map((option) => option.trim())
    .filter(Boolean)

const emptyProblem = (text: string) => (text.trim() === '' ? 'is empty' : undefined)

function answerProblem(
  text: string,
  { options, tolerance }: Readonly<Partial<Record<string, string>>>,
): string | undefined {
  const choices = choicesOf(options)
  if (choices.length > 0)
    return matchOption(text, choices) === undefined
      ? `is not one of the options: ${choices.join(' | ')}; they are parted by |, as in 'red|blue'`
      : undefined
  if (!isNumeric(text, tolerance)) return emptyProblem(text)
  const picked = pickNumber(text)
  if ('problem' in picked)
    return `is not a single number, since it ${picked.problem}. Write 3.5 for three and a half`
  const [whole] = picked.number.values
  return hasDecimalComma(picked.number)
    ? `has a comma that may be a decimal comma: write for example ${whole}`
    : undefined
}

function readTolerance(text: string | undefined): number | undefined {
  const tolerance = text?.trim() === '' ? Number.NaN : Number(text)
  if (text === undefined || tolerance >= 0) return text === undefined ? undefined : tolerance
  throw new UserError(problemAt(`--tolerance ${text}`, 'is no number from 0', 'Write for example 0.5.'))
}

const isNumeric = (text: string, tolerance: string | number | undefined) =>
  tolerance !== undefined || /^[-+]?[\d.,]*\d[\d.,]*%?$/.test(text.trim())

/** A choice if there are options, a number if the answer is one, else a text. */
function graderOf(answer: string, options: string[], tolerance: number | undefined) {
  if (options.length > 0) return { kind: 'choice' as const, options }
  return isNumeric(answer, tolerance)
    ? { kind: 'numeric' as const, ...(tolerance !== undefined && { tolerance }) }
    : { kind: 'exact' as const }
}
