import { boundedMatch } from '../bounded-match.ts'

const longestText = 65_536
const longestLine = 2000

/**
 * Finds the final answer in a reply. With patterns, the first that matches wins: the first group of its last match. Without
 * patterns, or if none matches: what follows the last of `Answer: …`, `#### …` and `\boxed{…}`, else the last `answer is …`, else
 * the last line that is not empty. Undefined if the text is empty.
 */
export function extractAnswer(
  reply: string | undefined,
  patterns: readonly string[] = [],
): string | undefined {
  const text = reply?.slice(-longestText).replaceAll('\r\n', '\n').trim()
  if (!text) return undefined
  for (const pattern of patterns) {
    const match = boundedMatch(text, pattern, 'im')
    if (match !== null && match !== 'too-long') return (match[1] ?? match[0])?.trim() || undefined
  }
  return (
    lastAnswer(text, explicitMarker) ??
    lastAnswer(text, casualMarker) ??
    stripMarkup(text.slice(text.lastIndexOf('\n') + 1))
  )
}

// It may be part of a sentence (`I hope that this answer is clear`), so it counts only without an explicit marker.
const casualMarker = /\banswer[*_]*\s{1,9}is\s{0,9}[:=]?/gi
const explicitMarker = /\banswer[*_]*\s{0,9}(?:is\s{0,9})?[:=]/gi

/** Searches line by line from the end: one expression over the whole text can take minutes on some replies. */
function lastAnswer(text: string, marker: RegExp): string | undefined {
  let below = ''
  for (let end = text.length; end >= 0; ) {
    const start = text.lastIndexOf('\n', end - 1) + 1
    const line = text.slice(start, end)
    const answer = answerIn(line.slice(-longestLine), below, marker)
    if (answer !== undefined) return answer
    if (line.trim() !== '') below = line
    end = start - 1
  }
  return undefined
}

/** Returns the answer that a line announces, without markup. If the announcement ends its line, the answer is on the next line. */
function answerIn(line: string, below: string, marker: RegExp): string | undefined {
  const boxed = lastBoxed(line)
  if (boxed !== undefined) return stripMarkup(boxed)
  const hashes = /^[ \t]*####(.*)$/.exec(line)?.[1]
  const behind = hashes === undefined ? '' : stripMarkup(hashes)
  if (behind !== '') return behind
  const found = [...line.matchAll(marker)].at(-1)
  if (!found) return undefined
  const same = stripMarkup(line.slice(found.index + found[0].length))
  return same || stripMarkup(below.slice(0, longestLine)) || undefined
}

/** Returns the content of the last `\boxed{…}`; braces may nest. */
function lastBoxed(line: string): string | undefined {
  const start = line.lastIndexOf('\\boxed{')
  if (start < 0) return undefined
  const from = start + '\\boxed{'.length
  let depth = 1
  for (let i = from; i < line.length; i++) {
    if (line[i] === '{') depth++
    if (line[i] === '}') depth--
    if (depth === 0) return line.slice(from, i)
  }
  return undefined
}

const wrapping = new Set([...'*_`"“” \t\n'])

/** Removes Markdown emphasis, code ticks, quotes and math dollars around a text. */
export function stripMarkup(answer: string): string {
  // Not by a regular expression: one that trims both ends takes quadratic time on some replies.
  let from = 0
  let to = answer.length
  while (from < to && wrapping.has(answer[from] as string)) from++
  while (to > from && wrapping.has(answer[to - 1] as string)) to--
  if (answer[to - 1] === '.' && wrapping.has(answer[to - 2] ?? ''))
    return stripMarkup(answer.slice(from, to - 1))
  const text = answer.slice(from, to)
  return /^\$[^$]+\$\.?$/.test(text) ? text.replace(/^\$|\$(?=\.?$)/g, '').trim() : text
}
