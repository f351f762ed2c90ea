import { type Document, isAlias, isCollection, isNode, isPair, isScalar, visit } from 'yaml'
import { shorten } from '../text/shorten.ts'

/** A mistake in a text; `at` is its offset in characters. */
export interface Fault {
  at: number
  what: string
  fix?: string
}

/** Finds nodes that cannot become JSON data: unknown or circular aliases, tags of anything but JSON data, and `__proto__`. `at` is an offset in characters. */
export function findUnsupportedNodes(document: Document.Parsed): Fault[] {
  const unsupported: Fault[] = []
  visit(document, {
    Pair(_, { key }) {
      if (isScalar(key) && key.value === '__proto__')
        unsupported.push({
          at: key.range?.[0] ?? 0,
          what: 'uses the name __proto__, which is not allowed',
          fix: 'Rename it.',
        })
    },
    Node(_, node, path) {
      const at = node.range?.[0] ?? 0
      if (isAlias(node) && node.resolve(document) === undefined)
        unsupported.push({
          at,
          what: `uses the alias *${node.source}, but the anchor &${node.source} is not defined before it`,
          fix: 'Write the value instead, or put a text that begins with * in quotes.',
        })
      else if (isAlias(node) && path.some((outer) => isNode(outer) && outer === node.resolve(document)))
        unsupported.push({
          at,
          what: `uses the alias *${node.source} inside its own anchor`,
          fix: 'Write the value instead.',
        })
      // Without this, the value under a tag such as `!include` would count as plain text.
      else if (node.tag !== undefined && !jsonTags.test(node.tag))
        unsupported.push({
          at,
          what: `has the tag ${node.tag.replace('tag:yaml.org,2002:', '!!')}, which is not supported`,
          fix: 'Write a plain value, list or map.',
        })
    },
  })
  return unsupported
}

/** `!` alone makes a text of its value. */
const jsonTags = /^(?:!|tag:yaml\.org,2002:(?:str|int|float|bool|null|map|seq))$/

/** Counts the nodes of a document with each alias replaced by its node. Counts no further than a little above `most`. */
export function expandedSize(document: Document.Parsed, most: number): number {
  const sizes = new Map<unknown, number>()
  const sizeOf = (node: unknown): number => {
    if (isAlias(node)) return sizeOf(node.resolve(document))
    if (isPair(node)) return sizeOf(node.key) + sizeOf(node.value)
    if (!isCollection(node)) return 1
    const known = sizes.get(node)
    if (known !== undefined) return known
    let size = 1
    for (const item of node.items) size = Math.min(size + sizeOf(item), most + 1)
    sizes.set(node, size)
    return size
  }
  let hasAliases = false
  visit(document, {
    Alias() {
      hasAliases = true
      return visit.BREAK
    },
  })
  return hasAliases ? sizeOf(document.contents) : 0
}

/** Finds keys that stand twice in a map. `lineOf` returns the line of an offset. */
export function findSameKeys(document: Document.Parsed, lineOf: (at: number) => string): Fault[] {
  const found: Fault[] = []
  visit(document, {
    Map(_, { items }) {
      const first = new Map<string, number>()
      for (const { key } of items) {
        if (!isScalar(key) || !key.range) continue
        const [at] = key.range
        const name = String(key.value)
        const before = first.get(name)
        if (before === undefined) first.set(name, at)
        else
          found.push({
            at,
            what: `the key "${shorten(name, 80)}" is already in line ${lineOf(before)}`,
            fix: 'Remove or rename one of them.',
          })
      }
    },
  })
  return found
}
