import type { Random } from '../../base/random.ts'
import { bulkText, estimateTokens } from '../../text/token-estimate.ts'

/** A text of each format of JSON Schema. */
export const formats: Readonly<Record<string, string>> = {
  email: 'agent@example.org',
  uri: 'https://example.org/',
  uuid: '00000000-0000-4000-8000-000000000000',
  date: '2026-01-01',
  time: '12:00:00',
  'date-time': '2026-01-01T12:00:00Z',
  duration: 'PT1H',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
}

/** Texts that match the patterns which people write. */
export const guesses = [
  'R1',
  'V1',
  'REQ-1',
  'a',
  '1',
  'A',
  'ok',
  'done',
  '1.0.0',
  '2026-01-01',
  'a-b',
  'a/b',
  'file.txt',
  '',
]

/** Returns a pattern, or one that matches everything for a pattern that JavaScript cannot read. */
export function patternOf(source: string): RegExp {
  try {
    return new RegExp(source, 'u')
  } catch {
    return /(?:)/
  }
}

/** Patterns of facts that a summary should keep: requirement ids, paths, code-like names and numbers. */
const patterns = [
  /\b[A-Z]{1,6}[-_]?\d+(?:\.\d+)*\b/g,
  /(?:[\w@.~-]+\/)+[\w@~-]+\.\w{1,8}\b|\b[\w-]{2,}\.[a-z][a-z0-9]{0,4}\b/g,
  /\b(?:[a-z]+[A-Z]\w*|\w*[a-z0-9]_\w+)\b|(?<=`)[A-Za-z_$][\w$]*(?=`)|\b[A-Za-z_$][\w$]*(?=\()/g,
  /(?<![\w.])\d[\d.,]*\d\b|(?<![\w.])\d\b/g,
]
const longest = 200_000

/** Returns the distinct facts of a text, the most informative kind first. */
export function extractFacts(text: string): string[] {
  const part = text.slice(0, longest).replace(/\[\[\d+ tokens of [^\]]*\]\]/g, ' ')
  return [...new Set(patterns.flatMap((pattern) => Array.from(part.matchAll(pattern), ([fact]) => fact)))]
}

/** Returns the token limit that a prompt states, such as `at most 10000 tokens`. */
export function statedTokenLimit(prompt: string): number | undefined {
  const stated = /at most (\d[\d,_]*) tokens/i.exec(prompt)?.[1]
  return stated === undefined ? undefined : Number(stated.replace(/[,_]/g, ''))
}

/**
 * Returns a simulated summary of about `tokens` tokens, at most the prompt's own limit: each fact of the prompt with
 * probability `recall`, and a marker for the words around them.
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
  const missing = target - estimateTokens(text)
  return missing > 0 ? text + bulkText(missing, 'summary') : text
}

/** Returns the lines of a plan: the facts of the prompt under ids, three per line. */
export function requirements(prompt: string): string[] {
  const facts = extractFacts(prompt).slice(0, 24)
  const lines: string[] = []
  for (let i = 0; i < Math.max(facts.length, 1); i += 3) {
    const named = facts.slice(i, i + 3).join(', ')
    lines.push(`R${lines.length + 1}. The work must do what the task says${named ? ` about ${named}` : ''}.`)
  }
  return lines
}
