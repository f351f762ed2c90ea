import type { FoundNumber } from './found-numbers.ts'
import { namesBase, numberPhrases as phrases } from './number-context.ts'

/** A bracket behind a number that says more about it: `60 minutes (1 hour)`. From its opening to behind its closing mark. */
interface Remark {
  from: number
  to: number
  text: string
}

/** Returns the remarks of a text: brackets behind a space and behind the first number, with a word in them, or `=` before the rest. */
export function findRemarks(text: string, first: FoundNumber): Remark[] {
  const remarks: Remark[] = []
  let open: number | undefined
  let depth = 0
  for (let at = first.to; at < text.length && depth >= 0; at++) {
    if (/[([]/.test(text[at] as string)) {
      if (depth++ === 0) open = at
    } else if (/[)\]]/.test(text[at] as string) && --depth === 0 && open !== undefined) {
      const remark = { from: open, to: at + 1, text: text.slice(open + 1, at) }
      if (isRemark(text, remark)) remarks.push(remark)
      open = undefined
    }
  }
  return remarks
}

function isRemark(text: string, { from, to, text: inside }: Remark): boolean {
  if (text[from - 1] !== ' ' || /^\s?[=+\-–×·*/÷^|<>≤≥≠{}]/.test(text.slice(to, to + 2))) return false
  const isMath = /\^|\\|(?<![\p{L}\d\\'])[b-zB-Z](?![\p{L}\d'])|[√π]/u.test(inside)
  return !isMath && (/\p{L}{2}|[≈~]/u.test(inside) || inside.startsWith('='))
}

const scaled = new RegExp(
  `(?<!\\p{L})(?:${Object.values(phrases.magnitudes).join(' ').split(' ').join('|')}|minus|negative)(?!\\p{L})`,
  'iu',
)

/** Whether a remark leaves the number in doubt: it names another (`or 43`), or changes it (`in thousands`, `base 2`). */
export const isDoubt = (remark: string) =>
  /^\W*(?:or|maybe|perhaps|possibly|alternatively|either|and|plus|minus)\b/i.test(remark) ||
  (!/\d/.test(remark) && scaled.test(remark)) ||
  (/^\p{L}/u.test(remark) &&
    namesBase((remark.match(/\p{L}+|\d+/gu) ?? []).join(' ').toLowerCase().replace(/\d+/g, '#')))
