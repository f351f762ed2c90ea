import { referenceOf } from '../../agents/reference.ts'
import type { Task } from '../../schema/task.ts'
import type { ProofWarning } from './task-proof.ts'

/** A shorter line of a solution, such as `return total`, may stand in an instruction by chance. */
const shortestLine = 20

/** Returns what a task's visible texts show of its hidden ones: a test, the answer, or lines of the solution. */
export function textWarnings(task: Task): ProofWarning[] {
  return [...seenTests(task), ...seenAnswer(task), ...seenLines(task)]
}

function seenTests({ checks, files, hidden }: Task): ProofWarning[] {
  const visible = new Map(
    [
      ...Object.entries(files),
      ...Object.entries(checks).map(([path, text]) => [`checks/${path}`, text] as const),
    ].map(([path, text]) => [text.trim(), path]),
  )
  return Object.entries(hidden.tests).flatMap(([path, text]): ProofWarning[] => {
    const seen = text.trim() === '' ? undefined : visible.get(text.trim())
    if (seen === undefined) return []
    return [{ kind: 'seen-test', text: `the hidden tests/${path} is equal to ${seen}, which agents see` }]
  })
}

function seenAnswer(task: Task): ProofWarning[] {
  const { instruction, spec } = task
  // The options of a choice stand in its instruction.
  if (spec.output !== 'answer' || spec.graders.some(({ kind }) => kind !== 'exact' && kind !== 'numeric'))
    return []
  const reference = referenceOf(task)
  const answer = reference && 'answer' in reference ? reference.answer.trim() : ''
  if (answer.length < 3 || !holdsWord(instruction.toLowerCase(), answer.toLowerCase())) return []
  return [{ kind: 'seen-answer', text: 'its instruction contains the answer' }]
}

/** Whether a text holds a word that is not a part of a longer one. */
function holdsWord(text: string, word: string): boolean {
  const isPart = (char: string | undefined) => char !== undefined && /[\p{L}\p{N}_]/u.test(char)
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1))
    if (!isPart(text[at - 1]) && !isPart(text[at + word.length])) return true
  return false
}

function seenLines({ instruction, files, hidden }: Task): ProofWarning[] {
  const linesOf = (text: string) => text.split('\n').map((line) => line.trim())
  const told = new Set(linesOf(instruction))
  const given = new Set(Object.values(files).flatMap(linesOf))
  for (const [path, text] of Object.entries(hidden.solution?.files ?? {})) {
    const seen = linesOf(text).filter(
      (line) => line.length >= shortestLine && told.has(line) && !given.has(line),
    )
    if (seen.length > 0)
      return [
        {
          kind: 'seen-solution',
          text: `its instruction contains ${seen.length === 1 ? 'a line' : `${seen.length} lines`} of solution/${path}: ${seen[0]}`,
        },
      ]
  }
  return []
}
