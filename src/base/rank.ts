import type Search from 'minisearch'
import { loadPackage } from './load-package.ts'

/** What can be found. */
export interface Entry {
  title: string
  text: string
}

/**
 * Returns the entries that match a query, best first; of equally good ones the earlier first. Where no word matches, those that
 * contain the query as it is written.
 */
export function rank<Found extends Entry>(entries: readonly Found[], query: string): Found[] {
  // It is loaded with the first search, since few runs have a memory.
  const MiniSearch = loadPackage('minisearch') as typeof Search
  const index = new MiniSearch({
    fields: ['title', 'text'],
    tokenize: (text) => termsOf(text, 'text'),
    processTerm: (term) => term,
    searchOptions: {
      tokenize: (text) => termsOf(text, 'query'),
      boost: { title: 2 },
      prefix: findsLonger,
    },
  })
  index.addAll(entries.map(({ title, text }, id) => ({ id, title, text })))
  const found = index
    .search(query)
    .map(({ id, score }) => ({ at: id as number, score }))
    .sort((a, b) => b.score - a.score || a.at - b.at)
    .flatMap(({ at }) => entries[at] ?? [])
  return found.length > 0 ? found : containing(entries, query)
}

function containing<Found extends Entry>(entries: readonly Found[], query: string): Found[] {
  const plain = (text: string) => text.normalize('NFKC').toLowerCase()
  const wanted = plain(query.trim())
  return entries.filter(({ title, text }) => plain(`${title}\n${text}`).includes(wanted))
}

// Scripts that put no spaces between words, or that join words and endings.
const scripts = ['Han', 'Hiragana', 'Katakana', 'Hangul', 'Thai', 'Lao', 'Khmer', 'Myanmar']
const joined = `[${scripts.map((script) => `\\p{Script=${script}}`).join('')}ー]`
const isJoined = new RegExp(joined, 'u')
const runs = new RegExp(
  `${joined}(?:${joined}|\\p{M})*|(?!${joined})[\\p{L}\\p{N}](?:(?!${joined})[\\p{L}\\p{N}\\p{M}])*|\\p{RI}{2}|\\p{Extended_Pictographic}`,
  'gu',
)

/** Where terms are from: a text that is searched, or a query. */
type Side = 'text' | 'query'

/**
 * Returns the terms of a text in any language: words, with the parts of `camelCase`; pairs of neighbours where a script does not divide
 * words by spaces; and each emoji. No dictionary of the machine is used, so they are the same on every machine.
 */
function termsOf(text: string, side: Side): string[] {
  return Array.from(text.normalize('NFKC').matchAll(runs), ([run]) =>
    isJoined.test(run) ? pairsOf([...run.toLowerCase()], side) : wordsOf(run),
  ).flat()
}

/** Whether a term of a query also finds the terms that begin with it. */
const findsLonger = (term: string): boolean => term.length >= 3 || isJoined.test(term)

function wordsOf(run: string): string[] {
  const parts = run.split(/(?<=\p{Ll})(?=\p{Lu})|(?<=\p{L})(?=\p{N})|(?<=\p{N})(?=\p{L})/u)
  const terms = parts.length > 1 ? [run, ...parts] : [run]
  return terms.map((term) => term.toLowerCase())
}

/** The last character of a text is a term, too, so that a query of one character finds it. */
function pairsOf(characters: readonly string[], side: Side): string[] {
  const pairs = characters.slice(1).map((one, i) => `${characters[i]}${one}`)
  return side === 'text' || pairs.length === 0 ? [...pairs, ...characters.slice(-1)] : pairs
}
