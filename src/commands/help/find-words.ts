import { rank } from '../../base/rank.ts'
import { type Section, sectionsOf } from './sections.ts'
import type { Topic } from './topics.ts'

/** A section that has the words, and the line where most of them stand. */
export interface FoundSection {
  section: Section
  line: string
}

/** Finds words in all pages, best first: sections that have all of them; if none has, those with some. */
export function findWords(topics: readonly Topic[], words: readonly string[]): FoundSection[] {
  const sections = topics.flatMap(sectionsOf)
  const has = (text: string, word: string) => text.toLowerCase().includes(word.toLowerCase())
  const whole = sections.filter(({ text }) => words.every((word) => has(text, word)))
  const among = whole.length > 0 ? whole : words.length > 1 ? sections : []
  return rank(among, words.join(' ')).map((section) => {
    const lines = section.text.split('\n').filter((line) => !line.startsWith('#') && !/^\W*$/.test(line))
    const count = (line: string) => words.filter((word) => has(line, word)).length
    const most = lines.reduce((best, line) => (count(line) > count(best) ? line : best), lines[0] ?? '')
    return { section, line: most.trim() }
  })
}
