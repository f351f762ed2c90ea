import { commasToPoints } from '../../replies/answers/numbers/decimal-comma.ts'
import { pickNumber } from '../../replies/answers/numbers/pick-number.ts'
import type { Problem } from '../../text/errors.ts'
import { shorten } from '../../text/shorten.ts'
import { plainNumber } from '../answer-rules.ts'
import { keepsDigits } from '../files/exact-json.ts'

const numberLike =
  /^[+-]?\s?[$€£¥]?\s?\d[\d.,]*(?:e[+-]?\d{1,3})?\s?[%€$£¥]?$|^[+-]?\d{1,15}\s?\/\s?\d{1,15}$/i

const decimalComma = /^[^\d]*\d+,\d{1,2}[^\d]*$/

/** Whether an answer is one number and nothing else: `42`, `1,000`, `-3.5e2`, `$18`, `45%`, `3/4`. `007` is a name. */
export const isNumber = (text: string): boolean =>
  (plainNumber.test(text) || (likeNumber(text) && !isTooLong(text))) && !/^[+-]?0\d/.test(text)

/** Whether a number is whole and has more digits than a number grader can tell apart. */
function isTooLong(text: string): boolean {
  const [, digits = ''] = /^[^\d]*([1-9][\d,]{15,})[^\d]*$/.exec(text) ?? []
  return digits !== '' && !keepsDigits(digits.replaceAll(',', ''))
}

const likeNumber = (text: string): boolean =>
  text.length < 100 && numberLike.test(text) && (decimalComma.test(text) || 'number' in pickNumber(text))

/** How the numbers of a table are written. */
export interface NumberForm {
  decimal?: 'comma' | 'point' | undefined
  /** Its cells are parted by semicolons, as spreadsheets do where the comma stands before decimals. */
  semicolons?: boolean | undefined
}

/** Returns an answer with a point before its decimals, or why it can be read in two ways. */
export function numberText(text: string, form: NumberForm): string | Omit<Problem, 'where'> {
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
