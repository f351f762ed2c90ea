import { estimateTokens, splitBulk } from '../text/token-estimate.ts'

/** What a summary must not lose, most telling kind first. */
const kinds = ['requirement', 'path', 'identifier', 'number'] as const
type FactKind = (typeof kinds)[number]

/**
 * The facts of a text that a summary of `target` tokens should keep: requirement ids (R1, REQ-12), paths, identifiers
 * and numbers, the most telling kind first, then the most frequent. More than would fill half the target are not asked
 * for, since no summary could hold them. Without a target: all of them.
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

/** Those of the facts that do not stand in the text as words of their own. */
export function missingFacts(facts: readonly string[], text: string): string[] {
  return facts.filter((fact) => !standsIn(text, fact))
}

/** Share of the facts that stand in the text, 0 to 1; 1 when there are none. */
export function recall(facts: readonly string[], text: string): number {
  if (facts.length === 0) return 1
  return 1 - missingFacts(facts, text).length / facts.length
}

function standsIn(text: string, fact: string): boolean {
  for (let at = text.indexOf(fact); at >= 0; at = text.indexOf(fact, at + 1)) {
    if (!isWordCharacter(text[at - 1]) && !isWordCharacter(text[at + fact.length])) return true
  }
  return false
}

const isWordCharacter = (character: string | undefined) => character !== undefined && /\w/.test(character)

function countFacts(text: string): Map<string, { kind: FactKind; count: number }> {
  const facts = new Map<string, { kind: FactKind; count: number }>()
  // The number of a list item is no fact, nor is one of dev mode's markers.
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

/** `and/or` is none: a path has an extension, begins with a slash or dot, or goes two folders deep. */
const isPath = (word: string) => /\.\w{1,8}$|^[./~]|\/.*\//.test(word)
