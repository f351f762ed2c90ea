import type { Format } from '../schema/method/format.ts'
import { readJson, writeJson } from './json.ts'
import { readMarkdown } from './markdown.ts'
import { readPlain, writePlain } from './plain.ts'
import { dropIndentation, type Element, FormatError } from './tree.ts'
import { writeMarkdown } from './write-markdown.ts'
import { readXml, writeXml } from './xml.ts'

const readers: Readonly<Record<Format, (text: string) => Element>> = {
  xml: (text) => dropIndentation(readXml(text)),
  json: readJson,
  markdown: readMarkdown,
  plain: readPlain,
}
const writers: Readonly<Record<Format, (tree: Element) => string>> = {
  xml: writeXml,
  json: writeJson,
  markdown: writeMarkdown,
  plain: writePlain,
}

/** Longer texts are refused: what an agent hands on is read by another, and none reads that much. Characters. */
export const mostCharacters = 2_000_000

/** What a text says in the format that it is said to be in, or why it cannot be read. */
export function read(text: string, format: Format): { tree: Element } | { problem: string } {
  if (text.length > mostCharacters) return { problem: `it is longer than ${mostCharacters} characters` }
  if (text.trim() === '') return { problem: 'it is empty' }
  try {
    return { tree: readers[format](stripFence(text, format)) }
  } catch (error) {
    if (error instanceof FormatError) return { problem: error.message }
    // Parsers go down by calling themselves as well.
    if (error instanceof RangeError) return { problem: 'it nests too deeply' }
    throw error
  }
}

/** The text of a document in a format. */
export const write = (tree: Element, format: Format): string => writers[format](tree)

/** A text of one format in another, or why it cannot be read. In its own format it stays as it is, if it can be read. */
export function convert(text: string, from: Format, to: Format): { text: string } | { problem: string } {
  const found = read(text, from)
  if ('problem' in found) return found
  return { text: from === to ? text : write(found.tree, to) }
}

/** Models like to put a whole reply into one fence. */
function stripFence(text: string, format: Format): string {
  const [, , language = '', inner] = /^\s*(`{3,}|~{3,})([\w-]*)[ \t]*\n([\s\S]*?)\n?\1\s*$/.exec(text) ?? []
  const isOwn = language === format || (format === 'markdown' ? language === 'md' : language === '')
  return inner !== undefined && isOwn && format !== 'plain' ? inner : text
}
