import { rank } from '../../base/rank.ts'
import { closes, type FenceLine, readFenceLine } from '../../replies/scan-fences.ts'
import type { Topic } from './topics.ts'

/** A part of a page below one heading. */
interface Section {
  topic: Topic
  title: string
  /** As in links: `bench help TOPIC#ANCHOR`. Empty before the first heading below the title. */
  anchor: string
  /** Of the heading: 1 for the title of the page. */
  depth: number
  /** In Markdown, its heading included. */
  text: string
}

/** Cuts a page at its headings. */
export function sectionsOf(topic: Topic): Section[] {
  const sections: Section[] = []
  const used = new Map<string, number>()
  let open: FenceLine | undefined
  for (const line of topic.text.split('\n')) {
    const fence = readFenceLine(line)
    if (fence) open = open === undefined ? fence : closes(fence, open) ? undefined : open
    const [, marks = '', title = ''] = open === undefined ? (/^(#+) (.*)$/.exec(line) ?? []) : []
    const current = sections.at(-1)
    if (marks === '' && current) current.text += `\n${line}`
    else
      sections.push({ topic, title, anchor: anchorOf(title, marks, used), depth: marks.length, text: line })
  }
  return sections
}

/** As GitHub names headings: a second one of the same words gets a number. */
function anchorOf(title: string, marks: string, used: Map<string, number>): string {
  if (marks.length < 2) return ''
  const name = title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_\- ]/gu, '')
    .replaceAll(' ', '-')
  const before = used.get(name) ?? 0
  used.set(name, before + 1)
  return before === 0 ? name : `${name}-${before}`
}

/** Returns a section with the sections below it, as Markdown; undefined if the page has no such heading. */
export function sectionText(sections: readonly Section[], anchor: string): string | undefined {
  const at = sections.findIndex((section) => section.anchor === anchor)
  const { depth = 0 } = sections[at] ?? {}
  if (at < 0) return undefined
  const next = sections.findIndex((section, i) => i > at && section.depth <= depth)
  return sections
    .slice(at, next < 0 ? undefined : next)
    .map(({ text }) => text)
    .join('\n')
}

/** A section that has the words, and the line where they stand. */
interface FoundSection {
  section: Section
  line: string
}

/** Finds words in all pages, best first: sections with the words in this order, then those that have all of them; if none has, those with some. */
export function findWords(topics: readonly Topic[], words: readonly string[]): FoundSection[] {
  const sections = topics.flatMap(sectionsOf)
  const whole = sections.filter(({ text }) => words.every((word) => has(text, word)))
  const among = whole.length > 0 ? whole : words.length > 1 ? sections : []
  const phrase = words.join(' ')
  const place = ({ title, text }: Section) => (has(title, phrase) ? 0 : has(text, phrase) ? 1 : 2)
  return rank(among, phrase)
    .sort((a, b) => place(a) - place(b))
    .map((section) => ({ section, line: lineWith(section.text, words) }))
}

const has = (text: string, words: string) => text.toLowerCase().includes(words.toLowerCase())

/** Returns the line that has the words, or most of them. */
function lineWith(text: string, words: readonly string[]): string {
  const lines = text.split('\n').filter((line) => !line.startsWith('#') && /\w/.test(line))
  const count = (line: string) =>
    words.filter((word) => has(line, word)).length + (has(line, words.join(' ')) ? 1 : 0)
  return lines.reduce((best, line) => (count(line) > count(best) ? line : best), lines[0] ?? '').trim()
}
