import type Search from 'minisearch'
import { loadPackage } from '../base/load-package.ts'
import { findsLonger, termsOf } from './terms.ts'

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
