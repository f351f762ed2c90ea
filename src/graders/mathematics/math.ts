import { createContext, Script } from 'node:vm'
import { stripMarkup } from '../../replies/answers/markup.ts'
import { pickNumber } from '../../replies/answers/pick-number.ts'
import { readMathAnswer } from '../../replies/answers/read-answer.ts'
import { readChoice } from '../../replies/answers/read-choice.ts'
import { requireExpectedAnswer } from '../expected.ts'
import {
  type AnswerEquality,
  binaryScore,
  emptyAnswerScore,
  equalityOf,
  type Grader,
  type WithoutAnswer,
} from '../grader.ts'
import { meanTheSame } from './compare-answers.ts'
import { Undecided } from './evaluate.ts'
import { dropParser } from './read-latex.ts'

/** Passes if the final answer means what the expected answer means, as mathematics. */
export const math: Grader<'math'> = ({ spec, task, answer }) => {
  const expected = requireExpectedAnswer(spec, task)
  if (letterOf(expected) !== undefined) return gradeLetter(expected, spec, answer)
  const found = readMathAnswer(answer, spec.extract)
  if (!found) return emptyAnswerScore(spec.name)
  const problem = whyUnequal(expected, found.text, found.force !== undefined)
  const shown = JSON.stringify(found.text.length > 200 ? `${found.text.slice(0, 200)}…` : found.text)
  return binaryScore(spec.name, problem === undefined, `${shown} ${problem ?? 'is right'}`)
}

/** Two answers are the same if either would be right where the other is expected. */
export const mathEquality = ({ extract }: WithoutAnswer<'math'>): AnswerEquality =>
  equalityOf(
    (reply) => readMathAnswer(reply, extract)?.text,
    (one, other) => whyUnequal(one, other) === undefined || whyUnequal(other, one) === undefined,
  )

/** Returns the letter of an option that is the whole answer: `\\text{(E)}`. */
const letterOf = (expected: string) => /^\(([A-J])\)$/.exec(stripMarkup(expected))?.[1]

const letters = [...'ABCDEFGHIJ']

function gradeLetter(
  expected: string,
  { name, extract }: { name: string; extract?: string[] | undefined },
  answer: string | undefined,
) {
  const found = readChoice(answer, letters, extract)
  if (!found) return emptyAnswerScore(name)
  const [, marked] = /^\(?([A-J])[).:]\s/.exec(found.text) ?? []
  const letter = found.index === undefined ? marked : letters[found.index]
  const right = letter === letterOf(expected)
  return binaryScore(
    name,
    right,
    `${JSON.stringify(found.text.slice(0, 200))} is ${right ? 'right' : 'not the answer'}`,
  )
}

const longest = 400
const deepest = 40
const timeoutMs = 5000

/** Returns why an answer is not equal to the expected one; undefined if it is. Bounded in time and memory, whatever the texts are. */
export function whyUnequal(expected: string, said: string, isAnnounced = true): string | undefined {
  const [wanted, given] = [expected, said].map(stripMarkup) as [string, string]
  if (sameWords(wanted, given)) return undefined
  for (const text of [wanted, given]) {
    if (text.length > longest) return `is not compared: more than ${longest} characters`
    if (depthOf(text) > deepest) return `is not compared: nested more than ${deepest} deep`
  }
  try {
    if (inTime(() => meanTheSame(wanted, given))) return undefined
    // The letter of a unit, as in `5 m`, was read as a variable.
    return !given.includes('=') && sayTheSameNumber(wanted, given, isAnnounced)
      ? undefined
      : 'is not the answer'
  } catch (error) {
    if (!(error instanceof Undecided)) throw error
    if (sayTheSameNumber(wanted, given, isAnnounced)) return undefined
    return `is not the answer as a text, and as mathematics it ${error.message}`
  }
}

function depthOf(text: string): number {
  let [depth, most] = [0, 0]
  for (const sign of text) {
    if (/[{([|^]/.test(sign)) most = Math.max(most, ++depth)
    else if (/[})\]]/.test(sign)) depth--
  }
  return most
}

const program = new Script('compare()')
const sandbox = createContext({})

/** Ends what takes more than five seconds. The bounds of the texts keep comparisons far below. */
function inTime(compare: () => boolean): boolean {
  sandbox.compare = compare
  try {
    return program.runInContext(sandbox, { timeout: timeoutMs }) as boolean
  } catch (error) {
    if (!isLimit(error)) throw error
    dropParser()
    throw new Undecided('is more than can be computed')
  }
}

/** Whether time, the stack or the digits of a number were not enough. */
const isLimit = (error: unknown): boolean =>
  (error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT' ||
  (error as Error).name === 'RangeError' ||
  (error as Error).message.startsWith('[DecimalError]')

const wrapped = /\\(?:text|mbox|hbox|mathrm|textbf|textrm|textit|operatorname)\s*\{([^{}]*)\}/g

/** Whether two texts are the same but for spaces; words also but for capital letters. */
function sameWords(expected: string, said: string): boolean {
  const [wanted, given] = [expected, said].map((text) =>
    stripMarkup(text.replace(wrapped, '$1')).replace(/\.$/, ''),
  ) as [string, string]
  const [one, other] = [wanted, given].map((text) => text.replace(/(?<!\d)\s+|\s+(?!\d)/g, ''))
  if (one === other) return true
  return /^(?=.*\p{L}{2})[\p{L}\d\s',.-]+$/u.test(wanted) && wanted.toLowerCase() === given.toLowerCase()
}

const plainNumber = /^-?\d{1,15}(?:\.\d{1,15})?$/

/** Whether a sentence names one number, and the expected one. */
function sayTheSameNumber(expected: string, said: string, isAnnounced: boolean): boolean {
  const words = said.replace(/\\[A-Za-z]+/g, '')
  if (!plainNumber.test(expected) || !/[A-Za-z]/.test(words)) return false
  const picked = pickNumber(said, isAnnounced)
  if (!('number' in picked) || !picked.number.values.includes(Number(expected))) return false
  // `2k` may be a product.
  return /[A-Za-z]{2}/.test(words) || !/[A-Za-z]/.test(picked.number.text)
}
