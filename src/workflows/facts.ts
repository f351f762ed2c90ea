import { estimateTokens, splitBulk } from '../text/token-estimate.ts'

/** Kinds of facts, the most important first. */
const kinds = ['requirement', 'path', 'identifier', 'number'] as const
type FactKind = (typeof kinds)[number]

/**
 * Returns the facts that a summary of `target` tokens should keep: requirement ids (R1, REQ-12), paths, identifiers and
 * numbers, by kind, then by frequency. They fill at most half the target, since no summary could hold more. Without a target
 * it returns all facts.
 */
export function factsThatMatter(text: string, target = Number.POSITIVE_INFINITY): string[] {
  const found = [...countFacts(text)].map(([fact, { kind, count }]) => ({ fact, kind, count }))
  found.sort((a, b) => kinds.indexOf(a.kind) - kinds.indexOf(b.kind) || b.count - a.count)
  let room = target / 2
  const kept: string[] = []
  for (const { fact } of found) {
    room -= estimateTokens(`${fact} `)
    if (room < 0) break
    kept.push(fact)
  }
  return kept
}

/** Returns the facts that the text does not contain as whole words. */
export function missingFacts(facts: readonly string[], text: string): string[] {
  return facts.filter((fact) => !contains(text, fact))
}

/** Returns the share of the facts that the text contains, 0 to 1; 1 without facts. */
export function recall(facts: readonly string[], text: string): number {
  if (facts.length === 0) return 1
  return 1 - missingFacts(facts, text).length / facts.length
}

function contains(text: string, fact: string): boolean {
  for (let at = text.indexOf(fact); at >= 0; at = text.indexOf(fact, at + 1)) {
    if (!isWordCharacter(text[at - 1]) && !isWordCharacter(text[at + fact.length])) return true
  }
  return false
}

const isWordCharacter = (character: string | undefined) => character !== undefined && /\w/.test(character)

function countFacts(text: string): Map<string, { kind: FactKind; count: number }> {
  const facts = new Map<string, { kind: FactKind; count: number }>()
  // Numbers of list items and dev mode's markers are not facts.
  const prose = splitBulk(text).plain.replace(/^[ \t]*\d+[.)][ \t]/gm, '')
  for (const match of prose.matchAll(/(?:[^\s`"'()[\]{}<>,;=|*]|(?<=\d),(?=\d{3}))+/g)) {
    const fact = match[0].replace(/^[.:!?#]+(?![/\w])|[.:!?/-]+$/g, '')
    const kind = kindOf(fact, prose[match.index - 1] ?? '', prose[match.index + match[0].length] ?? '')
    if (!kind) continue
    const known = facts.get(fact)
    if (known) known.count += 1
    else facts.set(fact, { kind, count: 1 })
  }
  return facts
}

function kindOf(word: string, before: string, after: string): FactKind | undefined {
  if (/^[A-Z]{1,6}[-_]?\d+(?:\.\d+)*$/.test(word)) return 'requirement'
  if (/^[-+$€£]?\d[\d.,:_-]*(?:%|[A-Za-z]{1,3})?$/.test(word)) return 'number'
  if (/^[\w@.~-]*(?:\/[\w@.~-]+)+$/.test(word) && isPath(word)) return 'path'
  if (/^[\w-]{2,}\.[a-z][a-z0-9]{0,4}$/.test(word)) return 'path'
  if (!/^[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)*$/.test(word) || word.length < 2) return undefined
  const written = /[a-z][A-Z]|\w_\w|^_|\$|\w\.\w/.test(word) && !/^(?:e\.g|i\.e)$/.test(word)
  return written || (before === '`' && after === '`') || (after === '(' && before !== '(')
    ? 'identifier'
    : undefined
}

/** A path has an extension, begins with a slash or dot, or has two slashes; `and/or` is not one. */
const isPath = (word: string) => /\.\w{1,8}$|^[./~]|\/.*\//.test(word)
