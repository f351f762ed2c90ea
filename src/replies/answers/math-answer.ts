import { readAnswer } from './extract-answer.ts'
import type { FinalAnswer } from './headed-answer.ts'
import { isUnit } from './unit-names.ts'

/**
 * Finds the final answer of a reply like `readAnswer`; of a sentence that states one formula, the formula. A last line that repeats an
 * earlier one and is cut off does not count: some models repeat their answer until their tokens end.
 */
export function readMathAnswer(
  reply: string | undefined,
  patterns: readonly string[] = [],
): FinalAnswer | undefined {
  const found = readAnswer(reply === undefined ? undefined : withoutCutLine(reply), patterns)
  return found && { ...found, text: formulaOf(found.text) }
}

function withoutCutLine(reply: string): string {
  const lines = reply.trimEnd().split('\n')
  const last = lines.pop()?.trim() ?? ''
  const isRepeated =
    isCutOff(last) && lines.some((line) => line.startsWith(last) && line.length > last.length)
  return isRepeated ? lines.join('\n') : reply
}

/** Whether a line ends within a formula. */
const isCutOff = (line: string): boolean =>
  /\\[A-Za-z]*$/.test(line) ||
  line.split('{').length > line.split('}').length ||
  line.split('$').length % 2 === 0

const formula = /\$\$?([^$]+)\$?\$|\\\(([\s\S]+?)\\\)/g
const longest = 2000

/** Returns the formula of a sentence that states only one, such as `The area is $5\pi$ (in square inches).` Else the whole text. */
function formulaOf(text: string): string {
  if (text.length > longest) return text
  const found = [...text.matchAll(formula)]
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
