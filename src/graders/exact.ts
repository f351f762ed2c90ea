import type { Score } from '../schema/score.ts'
import type { Task } from '../schema/task.ts'
import { expectedAnswer } from './expected.ts'
import { clean, extractAnswer } from './extract.ts'
import type { Grader } from './grader.ts'
import { nothingLeft, verdict } from './scores.ts'

/** The final answer is the expected text, but for white space, a final period and (by default) case. */
export const exact: Grader<'exact'> = ({ spec, task, answer }) => {
  const expected = expectedAnswer(spec, task)
  const found = extractAnswer(answer, spec.extract)
  if (!found) return nothingLeft(spec.name)
  const scores = scoresOf(spec, task)
  let score = scores.get(found)
  if (!score) {
    const right = isRight(found, expected, spec.ignoreCase)
    const reason = right ? `${quote(found)} is right` : `${quote(found)} is not the answer`
    // Records of many trials share it.
    score = verdict(spec.name, right, reason)
    // Bounded, since models may find any number of wrong answers.
    if (scores.size < mostKept) scores.set(found, score)
  }
  return score
}

const mostKept = 100

type Spec = Parameters<typeof exact>[0]['spec']

let last: { spec: Spec; task: Task; scores: Map<string, Score> } | undefined

/** Trials of a task come one after the other, and hand in a few answers over and over: each is judged once. */
function scoresOf(spec: Spec, task: Task): Map<string, Score> {
  if (last?.spec !== spec || last.task !== task) last = { spec, task, scores: new Map() }
  return last.scores
}

function isRight(found: string, expected: string, ignoreCase: boolean): boolean {
  if (found === expected) return true
  // An answer such as `__init__` looks wrapped itself.
  const wanted = [...forms(expected, ignoreCase), ...forms(clean(expected), ignoreCase)]
  return forms(found, ignoreCase).some((form) => wanted.includes(form))
}

/** A text as compared, with and without its final period. */
function forms(text: string, ignoreCase: boolean): string[] {
  const plain = text.normalize('NFC').replace(/\s+/g, ' ').trim()
  const cased = ignoreCase ? plain.toLowerCase() : plain
  return [cased, cased.replace(/\.$/, '').trim()].filter((form) => form !== '')
}

const quote = (text: string) => JSON.stringify(text.length > 200 ? `${text.slice(0, 200)}…` : text)
