import type { Random } from '../../base/random.ts'
import { bulkText, estimateTokens } from '../../text/token-estimate.ts'

/** Ids of requirements, paths, code-like names and numbers: what a reader of a summary would miss. */
const patterns = [
  /\b[A-Z]{1,6}[-_]?\d+(?:\.\d+)*\b/g,
  /(?:[\w@.~-]+\/)+[\w@~-]+\.\w{1,8}\b|\b[\w-]{2,}\.[a-z][a-z0-9]{0,4}\b/g,
  /\b(?:[a-z]+[A-Z]\w*|\w*[a-z0-9]_\w+)\b|(?<=`)[A-Za-z_$][\w$]*(?=`)|\b[A-Za-z_$][\w$]*(?=\()/g,
  /(?<![\w.])\d[\d.,]*\d\b|(?<![\w.])\d\b/g,
]
const longest = 200_000

/** The facts of a text, the most telling kind first, each once. */
export function extractFacts(text: string): string[] {
  const part = text.slice(0, longest).replace(/\[\[\d+ tokens of [^\]]*\]\]/g, ' ')
  return [...new Set(patterns.flatMap((pattern) => Array.from(part.matchAll(pattern), ([fact]) => fact)))]
}

/** The number of tokens that a prompt allows in words, such as `at most 10000 tokens`. */
export function statedTokenLimit(prompt: string): number | undefined {
  const stated = /at most (\d[\d,_]*) tokens/i.exec(prompt)?.[1]
  return stated === undefined ? undefined : Number(stated.replace(/[,_]/g, ''))
}

/**
 * A simulated summary of about `tokens` tokens, never over the prompt's own target: the facts of the prompt, each kept
 * with probability `recall`, and a marker for the words around them.
 */
export function summaryText(prompt: string, tokens: number, recall: number, random: Random): string {
  const target = Math.min(tokens, statedTokenLimit(prompt) ?? Number.POSITIVE_INFINITY)
  const opening = 'In short, it is about:'
  let room = target - estimateTokens(opening) - 1
  const kept: string[] = []
  for (const fact of extractFacts(prompt)) {
    if (random() >= recall) continue
    room -= (fact.length + 2) / 4
    if (room < 0) break
    kept.push(fact)
  }
  const text = `${opening} ${kept.join(', ')}.`
  const lacking = target - estimateTokens(text)
  return lacking > 0 ? text + bulkText(lacking, 'summary') : text
}
