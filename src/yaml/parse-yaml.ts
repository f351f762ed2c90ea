import {
  Composer,
  type CST,
  type Document,
  type ErrorCode,
  isAlias,
  isCollection,
  isMap,
  isNode,
  isPair,
  isScalar,
  isSeq,
  Lexer,
  LineCounter,
  type Pair,
  Parser,
  visit,
  type YAMLMap,
  type YAMLParseError,
} from 'yaml'
import { shorten, shortenEnd } from '../text/shorten.ts'

/** A parsed text. */
export interface ParsedYaml {
  /** Mistakes of the text itself, in its order. */
  faults: Fault[]
  /** What the text says, as JSON data; undefined if faults leave it unclear. */
  data: unknown
  /** Returns the offset of a field, or of its nearest parent. */
  offsetOf(path: readonly PropertyKey[]): number
  /** Returns the place of an offset: `line`, or `line:column`. */
  placeOf(offset: number, columns?: boolean): string
}

const maxDepth = 100

/** Limit of nodes after aliases are replaced by what they stand for. A file without aliases has none. */
const maxExpandedNodes = 100_000

/**
 * Parses one YAML document. The depth is checked before composing: the composer is recursive, and Node crashes if a regular
 * expression is first used at the end of the stack.
 */
export function parseYaml(text: string): ParsedYaml {
  const lines = new LineCounter()
  const placeOf = (offset: number, columns = false) => {
    const { line, col } = lines.linePos(offset)
    return columns ? `${line}:${Math.max(col, 1)}` : String(line)
  }
  const unclear = (faults: Fault[]): ParsedYaml => ({ faults, data: undefined, offsetOf: () => 0, placeOf })
  const parser = new Parser(lines.addNewLine)
  lines.addNewLine(0)
  const tokens: CST.Token[] = []
  for (const lexeme of new Lexer().lex(text)) {
    tokens.push(...parser.next(lexeme))
    if (parser.stack.length > maxDepth)
      return unclear([{ at: parser.offset, what: `nests more than ${maxDepth} levels deep` }])
  }
  tokens.push(...parser.end())
  // Its own search for equal keys compares each key with all others.
  const composer = new Composer({ logLevel: 'error', uniqueKeys: false })
  const [document, another] = composer.compose(tokens, true, text.length)
  if (!document) return unclear([])
  const faults = syntaxFaults(document.errors, placeOf)
  if (another) faults.push({ at: another.range[0], what: 'is not valid YAML: it contains several documents' })
  faults.push(...findSameKeys(document, placeOf))
  if (document.errors.length > 0 || another) return unclear(faults)
  // Of two equal keys the last one counts, which leaves the rest of the text clear.
  const unsupported = document.contents === null ? [] : findUnsupportedNodes(document)
  faults.push(...unsupported)
  if (unsupported.length > 0) return unclear(faults)
  const tooMany = { at: 0, what: 'contains too many aliases', fix: 'Write the values instead.' }
  if (expandedSize(document, maxExpandedNodes) > maxExpandedNodes) return unclear([...faults, tooMany])
  try {
    const data: unknown = document.toJS()
    const indexes = new Map<YAMLMap, Map<string, Pair>>()
    return { faults, data, offsetOf: (path) => offsetIn(document, path, indexes), placeOf }
  } catch {
    // The composer refuses an excessive expansion of aliases.
    return unclear([...faults, tooMany])
  }
}

function offsetIn(
  document: Document,
  path: readonly PropertyKey[],
  indexes: Map<YAMLMap, Map<string, Pair>>,
): number {
  let node: unknown = document.contents
  let offset = 0
  for (const key of path) {
    if (isAlias(node)) node = node.resolve(document)
    if (isMap(node)) {
      const index = indexes.get(node) ?? indexOf(node)
      indexes.set(node, index)
      const pair = index.get(String(key))
      if (!pair || !isScalar(pair.key)) return offset
      offset = pair.key.range?.[0] ?? offset
      node = pair.value
    } else if (isSeq(node)) {
      const item = node.items[Number(key)] as { range?: [number, number, number] } | undefined
      if (!item) return offset
      offset = item.range?.[0] ?? offset
      node = item
    } else return offset
  }
  return offset
}

/** Returns the fields of a map by name; of equal names the first. */
const indexOf = ({ items }: YAMLMap): Map<string, Pair> =>
  new Map(
    items.toReversed().flatMap((pair) => (isScalar(pair.key) ? [[String(pair.key.value ?? ''), pair]] : [])),
  )

/** What the parser says of the lines after a mistake, which are often right. */
const consequences: readonly ErrorCode[] = ['BAD_INDENT', 'BLOCK_AS_IMPLICIT_KEY', 'MULTILINE_IMPLICIT_KEY']

const aligned = 'Indent it as its neighbours, or put a text that contains `: ` in quotes.'
const inQuotes = 'Put a text that contains `: `, or begins with a mark such as { [ @ or `, in quotes.'

const fixes: Partial<Record<ErrorCode, string>> = {
  TAB_AS_INDENT: 'Indent with spaces.',
  BAD_INDENT: 'Indent it as the lines before it, and close each bracket.',
  BLOCK_AS_IMPLICIT_KEY: aligned,
  BLOCK_IN_FLOW: inQuotes,
  UNEXPECTED_TOKEN: inQuotes,
  BAD_SCALAR_START: inQuotes,
}

/** Returns the mistakes of a text that is no YAML, one a line, without those that only follow from the first. */
function syntaxFaults(errors: readonly YAMLParseError[], lineOf: (at: number) => string): Fault[] {
  const told = new Set<string>()
  return errors.flatMap(({ code, pos, message }): Fault[] => {
    const at = Math.max(pos[0], 0)
    const line = lineOf(at)
    if (told.has(line) || (code !== errors[0]?.code && consequences.includes(code))) return []
    told.add(line)
    const fix = fixes[code]
    // A message may quote a long text.
    return [{ at, what: `is not valid YAML: ${shortenEnd(message, 300)}`, ...(fix !== undefined && { fix }) }]
  })
}

/** A mistake in a text; `at` is its offset in characters. */
interface Fault {
  at: number
  what: string
  fix?: string
}

/** Finds nodes that cannot become JSON data: unknown or circular aliases, tags of anything but JSON data, and `__proto__`. `at` is an offset in characters. */
function findUnsupportedNodes(document: Document.Parsed): Fault[] {
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
function expandedSize(document: Document.Parsed, most: number): number {
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
function findSameKeys(document: Document.Parsed, lineOf: (at: number) => string): Fault[] {
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
