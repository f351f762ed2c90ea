import type { Format } from '../schema/method/format.ts'
import type { Element } from './tree.ts'

/** What an agent is asked to hand on. */
export interface HandOff {
  format: Format
  /** Names of what it provides. */
  items: readonly string[]
  /** It stands apart from the work that is handed in, at the beginning of the reply. */
  apart: boolean
  /** It may ask for changes of what it was given. */
  mayAsk: boolean
}

/** The item in which changes are asked for. */
export const requestItem = 'request_changes'

const kinds: Readonly<Record<Format, string>> = {
  xml: 'XML, an element each',
  json: 'one JSON object, a key each',
  markdown: 'Markdown, a heading each',
  plain: 'plain text',
}
const open = '<hand-off>'
const close = '</hand-off>'
/** How the words begin with which a prompt asks to hand something on. */
export const handOffOpening = 'Hand on what you provide'
const words = /Hand on what you provide as (XML|one JSON|Markdown|plain)\b[^:\n]*: ([\w-]+(?:, [\w-]+)*)\./

/** The words that ask for it: the same for every agent, and those by which `parseHandOffRequest` knows it again. */
export function handOffRequest({ format, items, apart, mayAsk }: HandOff): string {
  const request = mayAsk
    ? ` Only if what you were given has to be changed first, add ${requestItem} with what and why.`
    : ''
  const place = apart
    ? ` Begin your reply with it, between a line ${open} and a line ${close} and without a fence; then hand in your work as said above.`
    : ' Reply with it and nothing else.'
  return `${handOffOpening} as ${kinds[format]}: ${items.join(', ')}.${request}${place}`
}

/** What a prompt asks to hand on; undefined where it does not. */
export function parseHandOffRequest(prompt: string): HandOff | undefined {
  const found = words.exec(prompt)
  if (!found) return undefined
  const [said, kind = '', items = ''] = found
  const rest = prompt.slice(found.index + said.length).split('\n', 1)[0] ?? ''
  const format = (Object.keys(kinds) as Format[]).find((one) => kinds[one].startsWith(kind)) ?? 'plain'
  return { format, items: items.split(', '), apart: rest.includes(open), mayAsk: rest.includes(requestItem) }
}

/** A reply apart: what it hands on, and the rest. Without the lines around it, all of it is both. */
export function splitReply(reply: string): { handOff: string; rest: string } {
  const from = reply.indexOf(open)
  const to = reply.indexOf(close, from)
  if (from < 0 || to < 0) return { handOff: reply.trim(), rest: reply.trim() }
  const rest = `${reply.slice(0, from)}${reply.slice(to + close.length)}`
  return { handOff: reply.slice(from + open.length, to).trim(), rest: rest.trim() }
}

/** A reply with what is handed on before the work. */
export const joinReply = (handOff: string, work: string) => `${open}\n${handOff.trim()}\n${close}\n${work}`

const sameName = (a: string, b: string) => plainName(a) === plainName(b)
const plainName = (name: string) => name.toLowerCase().replace(/[\s_-]+/g, '_')

/** The item of that name, wherever it stands; undefined where there is none or nothing is in it. */
export function findItem(tree: Element, name: string): Element | undefined {
  if (sameName(tree.name, name) && (tree.children.length > 0 || Object.keys(tree.attributes).length > 0))
    return tree
  for (const child of tree.children) {
    const found = child.kind === 'element' ? findItem(child, name) : undefined
    if (found) return found
  }
  return undefined
}
