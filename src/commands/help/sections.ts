import type { Topic } from './topics.ts'

/** A part of a page below one heading. */
export interface Section {
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
  let fence = ''
  for (const line of topic.text.split('\n')) {
    const [mark = ''] = /^ *(?:```+|~~~+)/.exec(line)?.map((text) => text.trim()) ?? []
    if (mark !== '') fence = fence === '' ? mark : mark.startsWith(fence) ? '' : fence
    const [, marks = '', title = ''] = fence === '' ? (/^(#+) (.*)$/.exec(line) ?? []) : []
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
