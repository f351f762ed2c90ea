import { boundedMatch } from '../bounded-match.ts'
import { announcedAnswer, type FinalAnswer, lastLine } from './find-answer.ts'
import { cutLongLines } from './markup.ts'
import { isUnit } from './units.ts'

/** Returns the final answer of a reply, as `readAnswer` finds it. Undefined if the reply gives no answer. */
export function extractAnswer(
  reply: string | undefined,
  patterns: readonly string[] = [],
): string | undefined {
  return readAnswer(reply, patterns)?.text
}

/**
 * Finds the final answer in a reply, and says where it stood. With patterns, the first that matches wins: the first group of its last
 * match. Without patterns, or if none matches: the last announcement (`Answer: …`, `the answer is …`, `\boxed{…}`, `<answer>…`, or
 * `#### …` on the last line), else the last line. Undefined if the reply is empty, or if its last line is one item of a list or a remark.
 */
export function readAnswer(
  whole: string | undefined,
  patterns: readonly string[] = [],
): FinalAnswer | undefined {
  if (whole === undefined) return undefined
  const reply = cutLongLines(whole)
  const found = matchPatterns(reply, patterns) ?? announcedAnswer(reply, []) ?? lastLine(reply)
  return found?.text === '' ? undefined : found
}

const longestForPatterns = 65_536

/** Returns what the first pattern that matches finds: an empty text if its group is empty. */
export function matchPatterns(reply: string, patterns: readonly string[]): FinalAnswer | undefined {
  const text = reply.slice(-longestForPatterns).trim()
  for (const pattern of text === '' ? [] : patterns) {
    const match = boundedMatch(text, pattern, 'im')
    if (match === null || match === 'too-long') continue
    return { text: (match[1] ?? match[0] ?? '').trim(), found: `what the pattern ${pattern} matches` }
  }
  return undefined
}

/**
 * Finds the final answer of a reply like `readAnswer`; of a sentence that states one formula, the formula. A last line that repeats an
 * earlier one and is cut off does not count: some models repeat their answer until their tokens end.
 */
export function readMathAnswer(
  reply: string | undefined,
  patterns: readonly string[] = [],
): FinalAnswer | undefined {
  const found = readAnswer(reply === undefined ? undefined : withoutCutLine(cutLongLines(reply)), patterns)
  return found && { ...found, text: formulaOf(found.text) }
}

function withoutCutLine(reply: string): string {
  const lines = reply.trimEnd().split('\n')
  const last = lines.pop()?.trim() ?? ''
  const endsInFormula =
    /\\[A-Za-z]*$/.test(last) ||
    last.split('{').length > last.split('}').length ||
    last.split('$').length % 2 === 0
  const isRepeated = endsInFormula && lines.some((line) => line.startsWith(last) && line.length > last.length)
  return isRepeated ? lines.join('\n') : reply
}

const formula = /\$\$?([^$]+)\$?\$|\\\(([\s\S]+?)\\\)/g
const longest = 2000

/** Returns the formula of a sentence that states only one, such as `The area is $5\pi$ (in square inches).` Else the whole text. */
function formulaOf(text: string): string {
  const found = text.length > longest ? [] : [...text.matchAll(formula)]
  const last = found.at(-1)
  if (last === undefined) return text
  const inner = (last[1] ?? last[2] ?? '').trim()
  const before = text.slice(0, last.index)
  const behind = text.slice(last.index + last[0].length).replace(/[\s.]+$/, '')
  const isOnly = found.every((one) => (one[1] ?? one[2] ?? '').trim() === inner)
  const isStated = before.trim() === '' || isOnly || /(?:^|\s)(?:is|are|equals|gives)\s*$/.test(before)
  const words = isOnly ? text.replace(formula, ' ') : behind
  if (!isStated || /[\d\\=+<>$^_]|\b(?:not|no|or|and)\b/.test(words)) return text
  const [, remark, unit] = /^\s*\((?:in )?([A-Za-z ]+)\)|^\s*([A-Za-z ]+)$/.exec(behind) ?? []
  if (remark !== undefined) return isUnit(remark) ? `${inner} ${remark}` : inner
  if (behind === '' || /^,? (?:where |is the )/.test(behind)) return inner
  return unit === undefined ? text : `${inner} ${unit.trim()}`
}
