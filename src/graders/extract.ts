const longestText = 65_536

/** Markers that announce a final answer, each giving what follows it. */
const announced =
  /(?:^|[^\p{L}\p{N}])(?:final\s+answer|answer)[*_]*\s*(?:is\s*[:=]?|[:=])[*_]*[ \t]*(?<same>[^\n]*)(?:\n\s*(?<next>[^\n]+))?|^[ \t]*#{4}[ \t]*(?<hashes>[^\n]+)$/gimu

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
  let found: { at: number; answer: string } | undefined
  for (const match of text.matchAll(announced)) {
    const { same, next, hashes } = match.groups ?? {}
    const answer = hashes ?? (clean(same ?? '') ? same : next)
    if (answer) found = { at: match.index, answer }
  }
  if (boxed && (!found || boxed.end > found.at)) return boxed.answer
  return found?.answer
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

/** Without Markdown emphasis, code ticks, quotes and mathematics' dollars around it. */
function clean(answer: string): string {
  let text = answer.trim()
  for (let before = ''; before !== text; ) {
    before = text
    text = text.replace(/^(\*\*|__|[*_`"“”])\s*/, '').replace(/\s*(\*\*|__|[*_`"“”])(\.?)$/, '$2')
    if (/^\$[^$]+\$\.?$/.test(text)) text = text.replace(/^\$|\$(?=\.?$)/g, '')
    text = text.trim()
  }
  return text
}
