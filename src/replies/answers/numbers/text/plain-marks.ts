/**
 * Returns a text with one spelling of each mark that numbers are written with: ASCII digits, spaces, minus signs and quotes. `½` is
 * `1/2` (after a digit ` 1/2`), `³` is `^{3}`, `₂` is `_2`. Invisible marks are gone. Takes time linear in the text.
 */
export function plainMarks(text: string): string {
  return text
    .replace(/[\u00AD\u200B-\u200F\u202A-\u202E\u2060-\u2064\uFEFF]/g, '')
    .replace(/[^\S\n]/g, ' ')
    .replace(/[\uFF01-\uFF5E]/g, (mark) => String.fromCharCode(mark.charCodeAt(0) - 0xfee0))
    .replace(/(?![0-9])\p{Nd}/gu, digitOf)
    .replace(
      /[\u00BC-\u00BE\u2150-\u215E\u2189]/g,
      (mark, at: number, whole: string) =>
        `${/\d/.test(whole[at - 1] ?? '') ? ' ' : ''}${mark.normalize('NFKC').replace('\u2044', '/')}`,
    )
    .replace(/[⁻⁺]?[⁰¹²³⁴-⁹]+/g, (marks) => `^{${marks.normalize('NFKC').replace('\u2212', '-')}}`)
    .replace(/[₀-₉]+/g, (marks) => `_${marks.normalize('NFKC')}`)
    .replace(/[‐‑−﹣]/g, '-')
    .replace(/‒/g, '–')
    .replace(/[‘’ʼ′]/g, "'")
    .replace(/[⁄∕]/g, '/')
    .replace(/[✕✖⨯]/g, '×')
    .replace(/[⋅∙]/g, '·')
    .replace(/∗/g, '*')
    .replace(/٫/g, '.')
    .replace(/[٬、]/g, ',')
    .replace(/٪/g, '%')
    .replace(/[=-]>/g, '→')
}

const knownDigits = new Map<string, string>()

/** Returns a digit of any script as an ASCII digit. Unicode keeps the ten digits of a script together, zero first. */
function digitOf(digit: string): string {
  const known = knownDigits.get(digit)
  if (known !== undefined) return known
  const code = digit.codePointAt(0) as number
  let zero = code
  while (/\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero--
  const plain = String((code - zero) % 10)
  knownDigits.set(digit, plain)
  return plain
}
