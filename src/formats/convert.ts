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

/** Longer texts are refused, in characters: no agent can read that much. */
export const mostCharacters = 2_000_000

/** Reads a text in a format; returns its tree, or why it cannot be read. */
export function read(text: string, format: Format): { tree: Element } | { problem: string } {
  if (text.length > mostCharacters) return { problem: `it is longer than ${mostCharacters} characters` }
  if (text.trim() === '') return { problem: 'it is empty' }
  try {
    return { tree: readers[format](stripFence(text, format)) }
  } catch (error) {
    if (error instanceof FormatError) return { problem: error.message }
    // The parsers are recursive.
    if (error instanceof RangeError) return { problem: 'it nests too deeply' }
    throw error
  }
}

/** Writes a document in a format. */
export const write = (tree: Element, format: Format): string => writers[format](tree)

/** Converts a text from one format to another; returns why it cannot be read otherwise. A readable text in its own format stays unchanged. */
export function convert(text: string, from: Format, to: Format): { text: string } | { problem: string } {
  const found = read(text, from)
  if ('problem' in found) return found
  return { text: from === to ? text : write(found.tree, to) }
}

/** Removes a fence around the whole text, which models often add. */
function stripFence(text: string, format: Format): string {
  const [, , language = '', inner] = /^\s*(`{3,}|~{3,})([\w-]*)[ \t]*\n([\s\S]*?)\n?\1\s*$/.exec(text) ?? []
  const isOwn = language === format || (format === 'markdown' ? language === 'md' : language === '')
  return inner !== undefined && isOwn && format !== 'plain' ? inner : text
}
