const longestText = 65_536

/** Markers that announce a final answer, each giving what follows it. */
const announced =
  /\b(?:final\s+)?answer[*_]*\s*(?:is\s*[:=]?|[:=])[*_]*[ \t]*(?<same>[^\n]*)(?:\n\s*(?<next>[^\n]+))?|^[ \t]*#{4}[ \t]*(?<hashes>[^\n]+)$/gim

/** What may stand between the beginning of a marker and its word: `final ` with some space. */
const longestLead = 24

/**
 * Finds the final answer in a reply. With patterns: the first that matches wins, at its last place in the text, with
 * its first group. Without, or where none matches: what follows the last of `Answer: …`, `the answer is …`, `#### …`
 * and `\boxed{…}`, else the last line that is not empty. Undefined where there is no text at all.
 */
export function extractAnswer(
  reply: string | undefined,
  patterns: readonly string[] = [],
): string | undefined {
  const text = reply?.slice(-longestText).replaceAll('\r\n', '\n').trim()
  if (!text) return undefined
  for (const pattern of patterns) {
    const match = [...text.matchAll(new RegExp(pattern, 'gim'))].at(-1)
    if (match) return (match[1] ?? match[0]).trim() || undefined
  }
  return clean(announcedAnswer(text) ?? text.slice(text.lastIndexOf('\n') + 1))
}

function announcedAnswer(text: string): string | undefined {
  const boxed = lastBoxed(text)
  const found = lastAnnounced(text)
  if (boxed && (!found || boxed.end > found.at)) return boxed.answer
  return found?.answer
}

/** Looks from the end of the text, where it nearly always stands: the pattern is dear, and a reply may be long. */
function lastAnnounced(text: string): { at: number; answer: string } | undefined {
  const lower = text.toLowerCase()
  for (let at = text.length; at > 0; ) {
    at = Math.max(lower.lastIndexOf('answer', at - 1), lower.lastIndexOf('####', at - 1))
    if (at < 0) return undefined
    announced.lastIndex = Math.max(0, at - longestLead)
    let found: { at: number; answer: string } | undefined
    for (let match = announced.exec(text); match; match = announced.exec(text)) {
      const { same, next, hashes } = match.groups ?? {}
      const answer = hashes ?? (clean(same ?? '') ? same : next)
      if (answer) found = { at: match.index, answer }
    }
    if (found) return found
  }
  return undefined
}

/** The last `\boxed{…}`, whose braces may nest. */
function lastBoxed(text: string): { end: number; answer: string } | undefined {
  const start = text.lastIndexOf('\\boxed{')
  if (start === -1) return undefined
  const from = start + '\\boxed{'.length
  let depth = 1
  for (let i = from; i < text.length; i++) {
    if (text[i] === '{') depth++
    if (text[i] === '}') depth--
    if (depth === 0) return { end: i, answer: text.slice(from, i) }
  }
  return undefined
}

const wrapping = new Set([...'*_`"“” \t\n'])

/** A text without Markdown emphasis, code ticks, quotes and mathematics' dollars around it. */
export function clean(answer: string): string {
  // By hand: regular expressions that trim both ends take quadratic time on what a model may write.
  let from = 0
  let to = answer.length
  while (from < to && wrapping.has(answer[from] as string)) from++
  while (to > from && wrapping.has(answer[to - 1] as string)) to--
  if (answer[to - 1] === '.' && wrapping.has(answer[to - 2] ?? '')) return clean(answer.slice(from, to - 1))
  const text = answer.slice(from, to)
  return /^\$[^$]+\$\.?$/.test(text) ? text.replace(/^\$|\$(?=\.?$)/g, '').trim() : text
}
