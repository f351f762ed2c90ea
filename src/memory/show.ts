import type { Entry } from '../base/rank.ts'
import { quoteMark } from '../schema/tool/tool-call.ts'
import { cutMiddle } from '../text/shorten.ts'

/** Something to recall, and where it is from. */
export interface Source extends Entry {
  /** `note 2 of 3`, `glossary.md, lines 4-6`. */
  from: string
  isNote: boolean
}

/** The longest text of one recall, in characters. */
const longestRecall = 24_000

/**
 * Returns what was found as a text. Each line of a content begins with `> `, and titles are in quotes, so no content looks like a line
 * that says where something is from. It ends where it would be too long; `more` is how many more matched.
 */
export function showFound(found: readonly Source[], more: number): string {
  const blocks: string[] = []
  let room = longestRecall
  for (const source of found) {
    const block = `${headOf(source)}\n${quoted(source.text)}`
    room -= block.length
    // The best match is shown whole, whatever its size: no note is longer than the reader can take.
    if (room < 0 && blocks.length > 0) break
    blocks.push(block)
  }
  const left = found.length - blocks.length + more
  const end = left > 0 ? [`${left} more matched. Use a narrower query to see them.`] : []
  return [...blocks.map((block, i) => `${i + 1}. ${block}`), ...end].join('\n\n')
}

/** Most titles that a list of what there is shows, of notes and of the file. */
const mostTitles = 20

/** Says what there is to recall: the titles of the newest notes, and the headings of the file. */
export function showContents(sources: readonly Source[], file: string | undefined): string {
  const notes = sources.filter(({ isNote }) => isNote)
  const passages = sources.filter(({ isNote }) => !isNote)
  const parts = [
    notes.length === 0
      ? 'There are no notes.'
      : listOf(`${countOf(notes.length, 'note')}, the newest first`, notes),
    ...(file === undefined ? [] : [fileText(file, passages)]),
  ]
  return parts.join('\n')
}

function fileText(file: string, passages: readonly Source[]): string {
  const headed = passages.filter(({ title }, i) => title !== '' && title !== passages[i - 1]?.title)
  const count = `${countOf(passages.length, 'passage')} of ${file}`
  return headed.length === 0
    ? `There ${passages.length === 1 ? 'is' : 'are'} ${count}.`
    : listOf(`${count}, under these headings`, headed)
}

function listOf(what: string, sources: readonly Source[]): string {
  const shown = sources.slice(0, mostTitles).map(({ title }) => `- ${titleText(title)}`)
  const left = sources.length - shown.length
  return [
    `There ${/^1 /.test(what) ? 'is' : 'are'} ${what}:`,
    ...shown,
    ...(left > 0 ? [`and ${left} more.`] : []),
  ].join('\n')
}

const countOf = (count: number, one: string) => `${count} ${one}${count === 1 ? '' : 's'}`

/** Longest title that is shown, in characters. */
const longestTitle = 200

/** Returns a title in quotes, on one line. */
const titleText = (title: string) =>
  JSON.stringify(cutMiddle(title, longestTitle)).replace(
    /[\u007f-\u009f\u2028\u2029]/g,
    (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

const headOf = ({ isNote, from, title }: Source) =>
  isNote
    ? `Note ${titleText(title)} (${from})`
    : `File ${from}${title === '' ? '' : `, under ${titleText(title)}`}`

/** Begins each line with a mark. Every character that some reader takes for the end of a line ends one. */
const quoted = (text: string) =>
  text
    .split(/\r\n|[\n\r\v\f\u0085\u2028\u2029]/)
    .map((line) => `${quoteMark}${line}`)
    .join('\n')
