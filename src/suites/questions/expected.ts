import type { z } from 'zod'
import { commasToPoints } from '../../replies/answers/number-amount.ts'
import { optionLetter } from '../../replies/answers/options.ts'
import { pickNumber } from '../../replies/answers/pick-number.ts'
import type { TaskSpec } from '../../schema/task.ts'
import type { Problem } from '../../text/errors.ts'
import { shorten } from '../../text/shorten.ts'
import { plainNumber } from '../answer-rules.ts'
import { keepsDigits } from '../files/read-json-lines.ts'
import type { Options } from './cells.ts'
import type { Kind } from './settings.ts'

interface Expectation {
  /** By default the kind that fits the answers. */
  kind?: Kind | undefined
  answers: readonly string[]
  options: Options
  /** The answers count options from 0 or 1. */
  index?: 0 | 1 | undefined
  tolerance?: number | undefined
  form: NumberForm
}

type Spec = z.input<typeof TaskSpec>
/** The graders, one for each right answer, and the answer that stands for the solution. */
export type Expected = Pick<Spec, 'graders' | 'rule'> & { solution?: string }

/** Returns the graders of a row, or why its answers cannot be graded so. */
export function expectedOf(expectation: Expectation): Expected | { problem: Omit<Problem, 'where'> } {
  const { answers, options, tolerance } = expectation
  const kind = expectation.kind ?? fittingKind(expectation)
  if (kind === 'choice' && options.texts.length < 2)
    return {
      problem: {
        what: `has ${options.texts.length === 0 ? 'no options' : 'one option'} to choose from`,
        fix: 'Name their columns, ?options=COLUMN or ?options=A+B+C+D; within one cell part options by | or write a JSON list.',
      },
    }
  const hasCommas = expectation.form.decimal === 'comma'
  const texts: string[] = []
  for (const answer of answers) {
    const text =
      kind === 'numeric'
        ? numberText(answer, expectation.form)
        : kind === 'choice'
          ? optionText(answer, expectation)
          : answer
    if (typeof text !== 'string') return { problem: text }
    texts.push(text)
  }
  const graders = texts.map((answer, i): Spec['graders'][number] => {
    const name = i === 0 ? 'answer' : `answer-${i + 1}`
    if (kind === 'pattern') return { kind, name, require: [answer] }
    if (kind === 'choice') return { kind, name, answer, options: [...options.texts] }
    if (kind === 'exact' || kind === 'math') return { kind, name, answer }
    return { kind, name, answer, ...(tolerance && { tolerance }), ...(hasCommas && { decimal: 'comma' }) }
  })
  // The answer as it stands in the data is what a proof tries.
  const [first] = hasCommas && kind === 'numeric' ? answers : texts
  return {
    graders,
    ...(graders.length > 1 && { rule: 'any' as const }),
    ...(kind !== 'pattern' && first !== undefined && { solution: first }),
  }
}

const fittingKind = ({ answers, options, form }: Expectation): Kind => {
  if (options.texts.length > 0) return 'choice'
  const isCommaNumber = (text: string) => form.decimal === 'comma' && isNumber(commasToPoints(text))
  return answers.every((text) => isNumber(text) || isCommaNumber(text)) ? 'numeric' : 'exact'
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

const numberLike =
  /^[+-]?\s?[$€£¥]?\s?\d[\d.,]*(?:e[+-]?\d{1,3})?\s?[%€$£¥]?$|^[+-]?\d{1,15}\s?\/\s?\d{1,15}$/i

const decimalComma = /^[^\d]*\d+,\d{1,2}[^\d]*$/

/** Whether an answer is one number and nothing else: `42`, `1,000`, `-3.5e2`, `$18`, `45%`, `3/4`. `007` is a name. */
export const isNumber = (text: string): boolean =>
  (plainNumber.test(text) || (likeNumber(text) && !isTooLong(text))) && !/^[+-]?0\d/.test(text)

function isTooLong(text: string): boolean {
  const [, digits = ''] = /^[^\d]*([1-9][\d,]{15,})[^\d]*$/.exec(text) ?? []
  return digits !== '' && !keepsDigits(digits.replaceAll(',', ''))
}

const likeNumber = (text: string): boolean =>
  text.length < 100 && numberLike.test(text) && (decimalComma.test(text) || 'number' in pickNumber(text))

interface NumberForm {
  decimal?: 'comma' | 'point' | undefined
  /** Its cells are parted by semicolons, as spreadsheets do where the comma stands before decimals. */
  semicolons?: boolean | undefined
}

function numberText(text: string, form: NumberForm): string | Omit<Problem, 'where'> {
  if (isTooLong(form.decimal === 'comma' ? commasToPoints(text) : text))
    return {
      what: `has more digits than a number grader can tell apart: ${shorten(text, 80)}`,
      fix: 'Write ?grader=exact.',
    }
  if (form.decimal === 'comma') return commasToPoints(text)
  const isTwofold = /^[^\d]*(?:[1-9]\d{0,2}(?:\.\d{3})+|[\d.]+,\d+|\d{1,3}(?:,\d{3})+)[^\d]*$/.test(text)
  if (form.decimal === undefined && form.semicolons === true && isTwofold)
    return {
      what: `can be read in two ways in a file with semicolons: ${JSON.stringify(text)}`,
      fix: 'Write ?decimal=comma if 3,5 is three and a half, else ?decimal=point.',
    }
  if (form.decimal === undefined && decimalComma.test(text))
    return {
      what: `has a comma that may stand before decimals: ${JSON.stringify(text)}`,
      fix: 'Write ?decimal=comma if it does, or ?grader=exact if it is no number.',
    }
  return text
}
