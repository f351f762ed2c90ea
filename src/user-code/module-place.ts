import { isAbsolute, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { packageRoot } from '../base/package-root.ts'
import { shorten } from '../text/shorten.ts'

/** Where code of the user's threw. */
export interface ThrownAt {
  /** `./my.ts:12:30`, from the working folder; undefined where no frame is in a file of the user's. */
  place: string | undefined
  /** The error with its frames in the user's files and in packages of theirs, and those of its causes. */
  stack: string
}

/** A place in the source of a file, for one in what was made of it to run it; both count from 1. */
type Mapping = (line: number, column: number) => { line: number; column: number }

const mappings = new Map<string, Mapping>()

/** Notes that a file runs as something else than what its author wrote. */
export function mapPlaces(file: string, mapping: Mapping): void {
  mappings.set(file, mapping)
}

const mostCauses = 3
const longestStack = 8000

/** Where an error of the user's code comes from; undefined where it does not say. Frames of bench and of Node are left out. */
export function thrownAt(error: unknown): ThrownAt | undefined {
  const parts: string[] = []
  let place: string | undefined
  let thrown = error
  for (let depth = 0; depth <= mostCauses && thrown !== undefined; depth++) {
    const frames = framesOf(thrown)
    place ??= frames.map((frame) => /\(?([^()]+:\d+:\d+)\)?$/.exec(frame)?.[1]).find(Boolean)
    const head = headOf(thrown)
    parts.push(
      [depth === 0 ? head : `caused by ${head}`, ...frames.map((frame) => `    ${frame}`)].join('\n'),
    )
    if (depth === 0 && frames.length === 0) return undefined
    thrown = causeOf(thrown)
  }
  return { place: place?.replace(/^at (?:async )?/, ''), stack: shorten(parts.join('\n'), longestStack) }
}

/** What was thrown may be anything, also what throws when it is asked. */
function causeOf(thrown: unknown): unknown {
  try {
    return (thrown as Error).cause
  } catch {
    return undefined
  }
}

function headOf(thrown: unknown): string {
  try {
    const { name, message } = thrown as Error
    return shorten(message ? `${name ?? 'Error'}: ${message}` : String(thrown), 1000)
  } catch {
    return 'what cannot be shown as text'
  }
}

function framesOf(thrown: unknown): string[] {
  try {
    const { stack } = thrown as Error
    return typeof stack === 'string' ? stack.split('\n').flatMap(frameOf) : []
  } catch {
    return []
  }
}

const frame = /^\s*(at .*?)((?:file:\/\/)?(?:\/|[A-Za-z]:[\\/])[^()]*):(\d+):(\d+)(\)?)$/

/** A line of a stack with its place as the author knows it; nothing where that is no file of theirs. */
function frameOf(line: string): string[] {
  const [, before = '', file = '', row = '', column = '', after = ''] = frame.exec(line) ?? []
  if (file === '') return []
  const path = file.startsWith('file:') ? fileURLToPath(file) : file
  if (isOurs(path)) return []
  const raw = { line: Number(row), column: Number(column) }
  const at = mappings.get(path)?.(raw.line, raw.column) ?? raw
  return [`${before}${fromHere(path)}:${at.line}:${at.column}${after}`]
}

const ourFolders = ['dist', 'src', 'strategies', 'node_modules']

/** Whether a file is bench's own. */
function isOurs(path: string): boolean {
  return ourFolders.some((folder) => path.startsWith(join(packageRoot(), folder)))
}

/** A path as its owner writes it: from the working folder where it lies below it, else whole. */
function fromHere(path: string): string {
  const here = relative(process.cwd(), path)
  return here.startsWith('..') || isAbsolute(here) ? path : `./${here}`
}
