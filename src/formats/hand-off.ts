import type { Format } from '../schema/method/format.ts'
import type { Element } from './tree.ts'

/** A request to an agent to hand on items. */
export interface HandOff {
  format: Format
  /** Names of the items that it provides. */
  items: readonly string[]
  /** Whether the items come first in the reply, separate from the delivered work. */
  apart: boolean
  /** Whether the agent may request changes of its input. */
  mayAsk: boolean
}

/** Name of the item that requests changes. */
export const requestItem = 'request_changes'

const kinds: Readonly<Record<Format, string>> = {
  xml: 'XML, an element each',
  json: 'one JSON object, a key each',
  markdown: 'Markdown, a heading each',
  plain: 'plain text',
}
const open = '<hand-off>'
const close = '</hand-off>'
/** Beginning of the text of a request. */
export const handOffOpening = 'Hand on what you provide'
const words = /Hand on what you provide as (XML|one JSON|Markdown|plain)\b[^:\n]*: ([\w-]+(?:, [\w-]+)*)\./

/** Returns the text of a request, the same for every agent; `parseHandOffRequest` reads it. */
export function handOffRequest({ format, items, apart, mayAsk }: HandOff): string {
  const request = mayAsk
    ? ` Only if what you were given has to be changed first, add ${requestItem} with what and why.`
    : ''
  const place = apart
    ? ` Begin your reply with it, between a line ${open} and a line ${close} and without a fence; then hand in your work as said above.`
    : ' Reply with it and nothing else.'
  return `${handOffOpening} as ${kinds[format]}: ${items.join(', ')}.${request}${place}`
}

/** Finds the request in a prompt; undefined if there is none. */
export function parseHandOffRequest(prompt: string): HandOff | undefined {
  const found = words.exec(prompt)
  if (!found) return undefined
  const [said, kind = '', items = ''] = found
  const rest = prompt.slice(found.index + said.length).split('\n', 1)[0] ?? ''
  const format = (Object.keys(kinds) as Format[]).find((one) => kinds[one].startsWith(kind)) ?? 'plain'
  return { format, items: items.split(', '), apart: rest.includes(open), mayAsk: rest.includes(requestItem) }
}

/** Splits a reply into the hand-off and the rest. Without the marking lines both are the whole reply. */
export function splitReply(reply: string): { handOff: string; rest: string } {
  const from = reply.indexOf(open)
  const to = reply.indexOf(close, from)
  if (from < 0 || to < 0) return { handOff: reply.trim(), rest: reply.trim() }
  const rest = `${reply.slice(0, from)}${reply.slice(to + close.length)}`
  return { handOff: reply.slice(from + open.length, to).trim(), rest: rest.trim() }
}

/** Returns a reply with the hand-off before the work. */
export const joinReply = (handOff: string, work: string) => `${open}\n${handOff.trim()}\n${close}\n${work}`

const sameName = (a: string, b: string) => plainName(a) === plainName(b)
const plainName = (name: string) => name.toLowerCase().replace(/[\s_-]+/g, '_')

/** Finds the item of this name at any depth; undefined if there is none, or if it is empty. */
export function findItem(tree: Element, name: string): Element | undefined {
  if (sameName(tree.name, name) && (tree.children.length > 0 || Object.keys(tree.attributes).length > 0))
    return tree
  for (const child of tree.children) {
    const found = child.kind === 'element' ? findItem(child, name) : undefined
    if (found) return found
  }
  return undefined
}
