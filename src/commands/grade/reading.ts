import { withoutThoughts } from '../../replies/thoughts.ts'
import { safeLine, safeText } from '../../reports/words/safe-text.ts'
import type { Rejected } from '../../schema/method/change.ts'
import { shorten } from '../../text/shorten.ts'

/** How a reply was read. */
export interface Reading {
  /** What the reply was read for: a grader, or `data`. */
  as: string
  /** Characters of thoughts that were left out. */
  thoughts: number
  /** The answer, the data, or the paths of the files; absent if nothing was read. */
  read?: unknown
  /** Where it stood, in plain words. */
  found?: string
  /** The files that the reply delivers. */
  files?: Readonly<Record<string, string | null>>
  /** Paths that were refused. */
  refused?: readonly Rejected[]
  /** Whether it is right; where nothing is compared, whether something was read. */
  passed: boolean
  reason: string
}

/** Returns a reply without its thoughts, and how many characters they have. */
export function splitThoughts(reply: string): { rest: string; thoughts: number } {
  const rest = withoutThoughts(reply)
  return { rest, thoughts: reply.length - rest.length }
}

/** Longest line that is printed, in characters; JSON has the whole. */
const longestLine = 2_000

/** Renders a reading: a line for each fact, then the code. The middle of a line of more than 2000 characters is left out. */
export function readingText({ thoughts, read, found, files = {}, refused = [], reason }: Reading): string {
  const facts = [
    thoughts > 0 && ['thoughts', `${thoughts} characters, left out`],
    read !== undefined && ['read', typeof read === 'string' ? read : JSON.stringify(read)],
    found !== undefined && ['where', found],
    ...refused.map(({ path, reason }) => ['refused', `${path} ${reason}`]),
    ['result', reason],
  ].filter((fact) => fact !== false)
  const lines = facts.map(([name, value]) => `${(name as string).padEnd(9)} ${shortLine(value as string)}\n`)
  const texts = Object.entries(files).map(
    ([path, content]) =>
      `\n${shortLine(path)}${content === null ? ': deleted\n' : `:\n${shortLines(content)}`}`,
  )
  return [...lines, ...texts].join('')
}

const shortLine = (text: string) => shorten(safeLine(text), longestLine)

const shortLines = (text: string) =>
  safeText(text)
    .split('\n')
    .map((line) => shorten(line, longestLine))
    .join('\n')
