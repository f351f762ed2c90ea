import type { z } from 'zod'
import { optionLetter } from '../../replies/answers/options.ts'
import { extractAnswer } from '../../replies/answers/read-answer.ts'
import { boundedMatch } from '../../replies/bounded-match.ts'
import type { TaskSpec } from '../../schema/task.ts'
import type { Problem } from '../../text/errors.ts'
import type { Options } from './cells.ts'
import {
  type ExpectedNumber,
  expectedNumber,
  type NumberForm,
  readNumberCell,
  takenOf,
  textReason,
} from './number-cell.ts'
import type { Kind } from './settings.ts'

/** The graders that compare with a right answer. */
type AnswerKind = Exclude<Kind, 'rules' | 'judge'>

interface Expectation {
  kind: AnswerKind
  answers: readonly string[]
  options: Options
  /** The answers count options from 0 or 1. */
  index?: 0 | 1 | undefined
  tolerance?: number | undefined
  /** An answer that a pattern matches. */
  example?: string | undefined
  form: NumberForm
}

type Spec = z.input<typeof TaskSpec>
/** The graders, one for each right answer, and the answer that stands for the solution. */
export type Expected = Pick<Spec, 'graders' | 'rule'> & { solution?: string }

/** Returns the graders of a row, or why its answers cannot be graded so. */
export function expectedOf(expectation: Expectation): Expected | { problems: Omit<Problem, 'where'>[] } {
  const { kind, answers, options, form } = expectation
  if (kind === 'choice' && options.texts.length < 2) return { problems: [optionsProblem(options)] }
  const problems: Omit<Problem, 'where'>[] = []
  const read = answers.flatMap((answer): ExpectedNumber[] => {
    if (kind === 'numeric') {
      const number = expectedNumber(answer, form)
      if (!('problems' in number)) return [number]
      problems.push(...number.problems)
      return []
    }
    const text = kind === 'choice' ? optionText(answer, expectation) : answer
    if (typeof text === 'string') return [{ answer: text }]
    problems.push(text)
    return []
  })
  if (problems.length > 0) return { problems }
  const graders = read.map((one, i) => graderOf(one, i === 0 ? 'answer' : `answer-${i + 1}`, expectation))
  const [first] = read
  const solution =
    kind === 'pattern'
      ? (expectation.example ?? ownExample(answers))
      : // The answer as it stands in the data is what a proof tries.
        (first?.solution ?? (kind === 'numeric' ? answers[0] : first?.answer))
  return {
    graders,
    ...(graders.length > 1 && { rule: 'any' as const }),
    ...(solution !== undefined && { solution }),
  }
}

/** The first plain words of patterns such as `^March$` or `Danube|Donau`, which match themselves. */
const ownExample = (patterns: readonly string[]): string | undefined =>
  patterns
    .flatMap((pattern) => pattern.replace(/^\^\(?:?|\)?\$$/g, '').split('|'))
    .find((word) => /^[\p{L}\p{N}][\p{L}\p{N} ,'-]*$/u.test(word) && matchesOne(word, patterns))

/** Whether one of the patterns matches the answer of a reply. */
export const matchesOne = (answer: string, patterns: readonly string[]): boolean => {
  const tried = extractAnswer(`Answer: ${answer}`) ?? ''
  return patterns.some((pattern) => Array.isArray(boundedMatch(tried, pattern, 'i')))
}

const optionsProblem = ({ texts }: Options): Omit<Problem, 'where'> => ({
  what: `has ${texts.length === 0 ? 'no options' : 'one option'} to choose from`,
  fix: 'Name their columns, ?options=COLUMN or ?options=A+B+C+D; within one cell part options by | or write a JSON list.',
})

function graderOf(
  { answer, unit }: ExpectedNumber,
  name: string,
  { kind, options, tolerance, form }: Expectation,
): Spec['graders'][number] {
  if (kind === 'pattern') return { kind, name, require: [answer] }
  if (kind === 'choice') return { kind, name, answer, options: [...options.texts] }
  if (kind === 'exact' || kind === 'math') return { kind, name, answer }
  return {
    ...{ kind, name, answer },
    ...(tolerance && { tolerance }),
    ...(form.decimal === 'comma' && { decimal: 'comma' }),
    ...(unit !== undefined && { unit }),
  }
}

/** Returns the grader that fits the answers of a row, and what the answers look like. */
export function fittingGrader(
  answers: readonly string[],
  options: Options,
  form: NumberForm,
): { kind: AnswerKind; reason: string; isTwofold?: boolean } {
  if (options.texts.length > 0) return { kind: 'choice', reason: 'it has options' }
  const numbers = answers.map((text) => readNumberCell(text, form))
  const text = answers.find((_, i) => numbers[i] === undefined)
  if (text !== undefined) return { kind: 'exact', reason: `the answer is ${textReason(text)}` }
  const taken = numbers.map((number) => number && takenOf(number.text, form)).find(Boolean)
  const parts = [
    'the answer is one number',
    numbers.some((number) => number?.unit !== undefined) && 'with a unit',
    numbers.some((number) => number?.inBrackets) && 'in brackets',
    taken,
  ]
  return { kind: 'numeric', reason: parts.filter(Boolean).join(' '), isTwofold: taken !== undefined }
}

function optionText(answer: string, { options, index }: Expectation): string | Omit<Problem, 'where'> {
  const { texts, labels } = options
  const labelled = labels?.indexOf(answer) ?? -1
  if (labelled !== -1) return optionLetter(labelled)
  if (index !== undefined) {
    const place = /^\d{1,3}$/.test(answer) ? Number(answer) - index : -1
    if (place >= 0 && place < texts.length) return optionLetter(place)
    return {
      what: `is ${JSON.stringify(answer)}, which is no place of its ${texts.length} options`,
      fix: `With ?index=${index} the first is ${index}.`,
    }
  }
  if (/^\d{1,2}$/.test(answer) && !texts.includes(answer))
    return {
      what: `is ${answer}, which is not one of the options`,
      fix: 'If it counts them, write ?index=0 or ?index=1 for the number of the first.',
    }
  return answer
}

/** Returns a question with its options below it, by letter. */
export const withOptions = (question: string, { texts }: Options): string =>
  texts.length === 0
    ? question
    : `${question}\n\n${texts.map((text, i) => `- (${optionLetter(i)}) ${text}`).join('\n')}`
