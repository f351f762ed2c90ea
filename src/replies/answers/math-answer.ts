import { readAnswer } from './extract-answer.ts'
import type { FinalAnswer } from './headed-answer.ts'

/**
 * Finds the final answer of a reply like `readAnswer`. Where the reply is cut off within the formula of its last line, an earlier
 * announcement counts: models that repeat their answer until their tokens end are cut off so.
 */
export function readMathAnswer(
  reply: string | undefined,
  patterns: readonly string[] = [],
): FinalAnswer | undefined {
  const found = wholeAnswer(reply, patterns)
  return found && { ...found, text: formulaOf(found.text) }
}

function wholeAnswer(reply: string | undefined, patterns: readonly string[]): FinalAnswer | undefined {
  const found = readAnswer(reply, patterns)
  if (reply === undefined || found === undefined) return found
  const start = reply.trimEnd().lastIndexOf('\n') + 1
  if (!isCutOff(reply.slice(start).trimEnd())) return found
  const earlier = readAnswer(reply.slice(0, start), patterns)
  return earlier?.force === 'plain' ? earlier : found
}

/** Whether a line ends within a formula. */
const isCutOff = (line: string): boolean =>
  /\\[A-Za-z]*$/.test(line) || line.split('{').length > line.split('}').length

const formula = /\$\$?([^$]+)\$?\$|\\\(([\s\S]+?)\\\)/g
const states = /(?:^|\s)(?:is|are|equals|gives)\s*$/
const longest = 2000

/** Returns the formula of a sentence that states only one, such as `The area is $5\pi$ (in square inches).` Else the whole text. */
function formulaOf(text: string): string {
  if (text.length > longest) return text
  const found = [...text.matchAll(formula)]
  const last = found.at(-1)
  if (last === undefined) return text
  const inner = (last[1] ?? last[2] ?? '').trim()
  const behind = text.slice(last.index + last[0].length)
  const isSame = found.every((one) => (one[1] ?? one[2] ?? '').trim() === inner)
  const words = isSame ? text.replace(formula, ' ') : behind
  const before = text.slice(0, last.index)
  if (/[\d\\=+<>$^_]/.test(words)) return text
  if (isSame && before.trim() === '') return `${inner} ${unitWords(behind)}`.trim()
  return states.test(before) || isSame ? `${inner} ${unitWords(behind)}`.trim() : text
}

/** Returns the words right behind a formula, which may name its unit. */
const unitWords = (behind: string): string =>
  /^\s*\(?(?:in )?([A-Za-z]{2,}(?: [A-Za-z]{2,}){0,2})\)?\s*\.?\s*$/.exec(behind)?.[1] ?? ''
