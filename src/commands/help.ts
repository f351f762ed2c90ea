import type { Command } from 'commander'
import { unknownName } from '../loop/plan/unknown-name.ts'
import { counted } from '../reports/words/numbers.ts'
import { UserError } from '../text/errors.ts'
import { didYouMean } from '../text/near-word.ts'
import { shortenEnd } from '../text/shorten.ts'
import { pageText } from './help/page-text.ts'
import { findWords, sectionsOf, sectionText } from './help/sections.ts'
import { readTopics, type Topic } from './help/topics.ts'
import { terminalWidth } from './terminal/terminal-width.ts'

/**
 * `bench help`: lists the guides; with a topic, or `TOPIC#SECTION`, prints it; with a command, its options; with other words, the
 * sections of all pages that have them.
 */
export async function helpOn(program: Command, words: readonly string[]): Promise<number> {
  const topics = readTopics()
  const text = helpText(program, topics, words)
  if (typeof text === 'string') process.stdout.write(`${text}\n`)
  else text.outputHelp()
  return 0
}

function helpText(program: Command, topics: readonly Topic[], words: readonly string[]): string | Command {
  const [first = ''] = words
  if (words.length === 0) return listText(topics)
  const [name = '', anchor] = words
    .join('-')
    .replace(/\.md\b/, '')
    .split('#')
  const topic = topics.find((one) => one.name === name.toLowerCase())
  const command = findCommand(program, words)
  if (topic) return topicText(topic, anchor, command !== undefined)
  if (command) return command
  const found = findWords(topics, words)
  if (found.length > 0) return foundText(words, found)
  const where = `bench help ${words.join(' ')}`
  const names = [...topics.map((one) => one.name), ...program.commands.map((one) => one.name())]
  const titled = topics.flatMap((topic) =>
    sectionsOf(topic).flatMap(({ title }) => title.toLowerCase().match(/\p{L}{5,}/gu) ?? []),
  )
  const near = didYouMean(name, [...names, ...titled], '"') ?? didYouMean(first, names, '"')
  throw new UserError({
    where,
    what: `there is no guide, command or page with ${words.length === 1 ? 'this word' : 'these words'}`,
    fix: near ?? 'Write other words, or bench help for the list of guides.',
  })
}

/** Finds the command that words name, such as `tasks new question`; undefined if there is none. */
function findCommand(program: Command, words: readonly string[]): Command | undefined {
  return words.reduce<Command | undefined>(
    (parent, word) => parent?.commands.find((one) => one.name() === word),
    program,
  )
}

function listText(topics: readonly Topic[]): string {
  const width = Math.max(...topics.map(({ name }) => name.length))
  const groups = [...new Set(topics.map(({ group }) => group))]
  return [
    'Usage: bench help TOPIC, or bench help WORDS to find words in all pages. Commands and options: bench --help.',
    ...groups.map((group) =>
      [
        group,
        ...topics
          .filter((topic) => topic.group === group)
          .map(({ name, title }) => `  ${name.padEnd(width)}  ${title}`),
      ].join('\n'),
    ),
  ].join('\n\n')
}

function topicText(topic: Topic, anchor: string | undefined, isCommand: boolean): string {
  const sections = sectionsOf(topic)
  const text = anchor === undefined ? topic.text : sectionText(sections, anchor)
  if (text === undefined)
    throw new UserError(
      unknownName(
        `bench help ${topic.name}#${anchor}`,
        `section of ${topic.name}`,
        anchor ?? '',
        sections.flatMap((section) => (section.anchor === '' ? [] : [section.anchor])),
        `bench help ${topic.name}`,
      ),
    )
  const options = isCommand && anchor === undefined ? `Options: bench ${topic.name} --help\n\n` : ''
  return `${options}${pageText(text, terminalWidth())}`
}

const mostFound = 10

function foundText(words: readonly string[], found: ReturnType<typeof findWords>): string {
  const more = found.length - mostFound
  const room = terminalWidth() - 4
  return [
    `${words.join(' ')}: ${counted(found.length, 'section')}${more > 0 ? `, of which the best ${mostFound} are shown` : ''}`,
    ...found.slice(0, mostFound).map(({ section: { topic, anchor, title }, line }) => {
      const place = anchor === '' ? topic.name : `${topic.name}#${anchor}`
      const of = anchor === '' ? title : `${topic.title}: ${title}`
      return `bench help ${place}\n    ${shortenEnd(of, room)}\n    ${shortenEnd(line, room)}`
    }),
  ].join('\n\n')
}
