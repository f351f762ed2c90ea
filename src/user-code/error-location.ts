import { isAbsolute, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { packageRoot } from '../base/package-root.ts'
import { shorten } from '../text/shorten.ts'

/** Where the user's code threw an error. */
export interface ErrorLocation {
  /** `./my.ts:12:30`, relative to the working folder; undefined if no frame is in a file of the user's. */
  place: string | undefined
  /** The error and its causes, with the frames in the user's files and packages. */
  stack: string
}

/** Maps a position in the executed code to the position in the source file; both count from 1. */
type SourceMap = (line: number, column: number) => { line: number; column: number }

const sourceMaps = new Map<string, SourceMap>()

/** Registers the source map of a file that was transformed before it runs. */
export function registerSourceMap(file: string, sourceMap: SourceMap): void {
  sourceMaps.set(file, sourceMap)
}

const mostCauses = 3
const longestStack = 8000

/** Returns where an error was thrown in the user's code; undefined if its stack does not show that. Frames of bench and of Node are left out. */
export function locateError(error: unknown): ErrorLocation | undefined {
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

/** A thrown value may be anything, even an object whose properties throw. */
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
    return 'a value that cannot be shown as text'
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

/** Returns a stack line with its position in the source; an empty list if its file is not the user's. */
function frameOf(line: string): string[] {
  const [, before = '', file = '', row = '', column = '', after = ''] = frame.exec(line) ?? []
  if (file === '' || /\bnode:\w+$/.test(before)) return []
  const path = file.startsWith('file:') ? fileURLToPath(file) : file
  if (isOwnFile(path)) return []
  const raw = { line: Number(row), column: Number(column) }
  const at = sourceMaps.get(path)?.(raw.line, raw.column) ?? raw
  return [`${before}${displayPath(path)}:${at.line}:${at.column}${after}`]
}

const ourFolders = ['dist', 'src', 'strategies', 'node_modules']

/** Whether a file belongs to bench. */
function isOwnFile(path: string): boolean {
  return ourFolders.some((folder) => path.startsWith(join(packageRoot(), folder)))
}

/** Returns a path relative to the working folder if it is below it, else the path itself. */
function displayPath(path: string): string {
  const here = relative(process.cwd(), path)
  return here.startsWith('..') || isAbsolute(here) ? path : `./${here}`
}
