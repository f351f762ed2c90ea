import { z } from 'zod'
import { rank } from '../base/rank.ts'
import { longestMemoryFile } from '../schema/tool/tool.ts'
import type { MemoryNote } from '../schema/tool/tool-call.ts'
import type { ToolDefinition } from '../schema/tool/tool-set.ts'
import { type Source, showContents, showFound } from './show.ts'

/** What a memory may recall. */
export interface MemoryContents {
  /** The notes of the trial, oldest first. */
  notes: readonly MemoryNote[]
  /** A text file of the user. */
  file?: { path: string; text: string } | undefined
}

interface MemoryResult {
  outcome: 'ok' | 'invalid' | 'denied'
  text: string
  /** What `memory_store` keeps. */
  note?: MemoryNote
}

/** A string of 1 to `most` characters with something to read. */
const words = (most: number) =>
  z
    .string()
    .refine((text) => [...text].length <= most, {
      error: ({ input }) => `has ${[...String(input)].length} characters; at most ${most}.`,
    })
    .meta({ maxLength: most })

const filled = (most: number) => words(most).refine((text) => text.trim() !== '', { error: 'is empty.' })

const Store = z.strictObject({
  title: filled(200).describe('A short title. It need not be new: each note is kept.'),
  text: filled(8_000).describe('What to remember. Store long material as several notes.'),
})

const Recall = z.strictObject({
  query: words(1_000).describe('Words to look for, in any language. Empty: lists what there is.'),
  limit: z.int().min(1).max(20).default(5).describe('Most notes and passages to return.'),
})

/** The functions of a memory, as models see them. */
export const memoryDefinitions: readonly ToolDefinition[] = [
  {
    name: 'memory_store',
    description: 'Keeps a note for the rest of this task. Only agents of this task can recall it.',
    inputSchema: schemaOf(Store),
  },
  {
    name: 'memory_recall',
    description:
      'Finds notes that agents of this task have stored, and passages of the file that this memory has, if any. The best match comes first.',
    inputSchema: schemaOf(Recall),
  },
]

function schemaOf(shape: z.ZodType): Record<string, unknown> {
  const { $schema, ...schema } = z.toJSONSchema(shape, { io: 'input' })
  return schema
}

/** Stores a note, or recalls notes and passages. It changes nothing: the caller keeps the note of the result. */
export function callMemory(
  name: string,
  args: Readonly<Record<string, unknown>>,
  contents: MemoryContents,
): MemoryResult {
  if (name === 'memory_store') return checked(Store, args, (note) => store(note, contents))
  if (name === 'memory_recall') return checked(Recall, args, (wanted) => recall(wanted, contents))
  return { outcome: 'denied', text: `There is no tool ${name}. Use memory_store or memory_recall.` }
}

function checked<Args>(
  shape: z.ZodType<Args>,
  args: unknown,
  call: (args: Args) => MemoryResult,
): MemoryResult {
  const { success, data, error } = shape.safeParse(args)
  if (success) return call(data)
  const problems = error.issues.map(({ path, message }) => `${path.join('.') || 'The arguments:'} ${message}`)
  return { outcome: 'invalid', text: problems.join('\n') }
}

function store(note: MemoryNote, { notes }: MemoryContents): MemoryResult {
  const earlier = notes.filter(({ title }) => title === note.title).length
  const also =
    earlier === 0
      ? ''
      : ` ${earlier === 1 ? 'An earlier note has' : `${earlier} earlier notes have`} this title and ${earlier === 1 ? 'is' : 'are'} kept, too.`
  return { outcome: 'ok', text: `Stored as note ${notes.length + 1}.${also}`, note }
}

function recall({ query, limit }: { query: string; limit: number }, contents: MemoryContents): MemoryResult {
  const sources = sourcesOf(contents)
  const file = contents.file?.path
  if (query.trim() === '') return { outcome: 'ok', text: showContents(sources, file) }
  const found = rank(sources, query)
  const text =
    found.length === 0
      ? `Nothing matches this query. ${showContents(sources, file)}`
      : showFound(newestFirst(found.slice(0, limit), sources), Math.max(0, found.length - limit))
  return { outcome: 'ok', text: [text, ...cutNote(contents)].join('\n\n') }
}

const cutNote = ({ file }: MemoryContents) =>
  file && file.text.length > longestMemoryFile
    ? [`Only the first ${longestMemoryFile} characters of ${file.path} are searched.`]
    : []

/** Returns all that can be recalled: the notes, newest first, then the passages in the order of the file. */
function sourcesOf({ notes, file }: MemoryContents): Source[] {
  const newest = new Map(notes.map(({ title }, i) => [title, i]))
  const fromNotes = notes.map(({ title, text }, i) => ({
    ...{ title, text, isNote: true },
    from: `note ${i + 1} of ${notes.length}${newest.get(title) === i ? '' : `; note ${(newest.get(title) ?? i) + 1} is the newest of this title`}`,
  }))
  const passages = file === undefined ? [] : passagesOf(file.text.slice(0, longestMemoryFile))
  const fromFile = passages.map(({ heading, text, from, to }) => ({
    ...{ title: heading, text, isNote: false },
    from: `${file?.path}, ${from === to ? `line ${from}` : `lines ${from}-${to}`}`,
  }))
  return [...fromNotes.toReversed(), ...fromFile]
}

/** Puts notes of one title, wherever they were found, in their own order, which is newest first. */
function newestFirst(found: readonly Source[], all: readonly Source[]): Source[] {
  const placeOf = new Map(all.map((source, place) => [source, place]))
  const byTitle = new Map<string, Source[]>()
  for (const source of found)
    if (source.isNote) byTitle.set(source.title, [...(byTitle.get(source.title) ?? []), source])
  for (const notes of byTitle.values()) notes.sort((a, b) => (placeOf.get(a) ?? 0) - (placeOf.get(b) ?? 0))
  return found.map((source) => (source.isNote ? (byTitle.get(source.title)?.shift() ?? source) : source))
}

/** A part of a text file, with its place. */
interface Passage {
  /** The nearest Markdown heading above it, or its own; empty without one. */
  heading: string
  text: string
  /** Its first and last line, from 1. */
  from: number
  to: number
}

/** The longest passage, in characters. A longer one is divided at the end of a line, or else of a word. */
export const longestPassage = 2_000

const heading = /^ {0,3}#{1,6}[ \t]+(\S.*?)[ \t]*#*[ \t]*$/

/** Divides a text into passages: blank lines end one, and so does a Markdown heading, which begins the next. */
export function passagesOf(text: string): Passage[] {
  const passages: Passage[] = []
  let title = ''
  let lines: string[] = []
  let from = 1
  let hasText = false
  const end = () => {
    if (lines.length > 0) passages.push(...divided({ heading: title, lines, from }))
    lines = []
    hasText = false
  }
  text.split(/\r\n?|\n/).forEach((line, i) => {
    const [, named] = heading.exec(line) ?? []
    const isBlank = line.trim() === ''
    if (named !== undefined || (isBlank && hasText)) end()
    if (named !== undefined) title = named
    else if (isBlank) return
    else hasText = true
    if (lines.length === 0) from = i + 1
    // Blank lines between a heading and its text.
    while (from + lines.length < i + 1) lines.push('')
    lines.push(line)
  })
  end()
  return passages
}

function divided({ heading, lines, from }: { heading: string; lines: string[]; from: number }): Passage[] {
  const parts: Passage[] = []
  lines.forEach((line, i) => {
    for (const piece of piecesOf(line)) {
      const last = parts.at(-1)
      const at = from + i
      if (last && last.text.length + 1 + piece.length <= longestPassage && last.to < at) {
        last.text += `\n${piece}`
        last.to = at
      } else parts.push({ heading, text: piece, from: at, to: at })
    }
  })
  return parts
}

/** Cuts a line into pieces of at most the longest passage, after a blank where the last fifth has one, and in no character. */
function piecesOf(line: string): string[] {
  const pieces: string[] = []
  let rest = line
  while (rest.length > longestPassage) {
    const blank = rest.lastIndexOf(' ', longestPassage - 1) + 1
    const isPair = /[\uD800-\uDBFF]/.test(rest[longestPassage - 1] ?? '')
    const cut = blank > longestPassage * 0.8 ? blank : longestPassage - (isPair ? 1 : 0)
    pieces.push(rest.slice(0, cut))
    rest = rest.slice(cut)
  }
  return [...pieces, rest]
}
