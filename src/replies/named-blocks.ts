import { normalizePath } from '../sandbox/folders/paths.ts'
import type { Rejected } from '../schema/method/change.ts'
import type { Files } from '../schema/task.ts'
import { findLeftOut } from './code/code-facts.ts'
import { changesIn } from './file-text.ts'
import { isRunText, readInfo } from './scan-fences.ts'
import { readName } from './scan-headings.ts'
import type { Fence, Region, ScannedReply } from './scan-regions.ts'

/** Blocks that name their file without a `FILE:` line, and what was seen that cannot be read. */
interface NamedBlocks {
  blocks: Fence[]
  rejected: Rejected[]
  notes: string[]
}

/**
 * Reads the blocks without a `FILE:` line. In a reply that has no such line a block is a file if one path is named on the line before it,
 * by its info string, or by a comment on its first line. What names no file, is a part of one or says how one changes is told, unless
 * the reply writes the file behind a `FILE:` line (`written`).
 */
export function readNamedBlocks(
  scanned: ScannedReply,
  given: Files,
  written: ReadonlySet<string> | undefined,
): NamedBlocks {
  const { lines, regions } = scanned
  const found = new Map<string, Fence[]>()
  const patches = patchesIn(scanned, given)
  const rejected: Rejected[] = []
  let nameless = 0
  for (const part of regions) {
    if ((part.kind !== 'fence' || part.owner) && part.kind !== 'wrapper') continue
    if (part.kind === 'fence' && changesIn(part.content, part.info)) continue
    const [path, other] = namesOf(part, lines, given)
    const reason = other === undefined ? blockProblem(part) : `${alsoNames} ${other}: ${wanted}`
    if (path === undefined) nameless++
    else if (reason !== undefined) rejected.push({ path, reason })
    else if (part.kind === 'fence' && !found.get(path)?.push(part)) found.set(path, [part])
  }
  if (written) return besideFiles([...found.keys(), ...rejected.map(({ path }) => path)], patches, written)
  rejected.push(...patches)
  for (const { path } of patches) found.delete(path)
  const blocks: Fence[] = []
  const notes: string[] = []
  for (const [path, fences] of found) {
    const texts = new Set(fences.map(({ content }) => content))
    if (texts.size > 1) rejected.push({ path, reason: `has ${texts.size} blocks that differ: ${wanted}` })
    else {
      notes.push(`${JSON.stringify(path)} was named without a FILE: line`)
      blocks.push({ ...(fences[0] as Fence), owner: { verb: 'FILE', written: path } })
    }
  }
  if (blocks.length + rejected.length === 0 && nameless > 0)
    notes.push(`${nameless === 1 ? 'a block names' : `${nameless} blocks name`} no file: ${wanted}`)
  return { blocks, rejected, notes }
}

const wanted = 'write the line `FILE: path` directly before a block with the whole file'

const alsoNames = 'stands over a block that names another file, too:'

/** In a reply with `FILE:` lines, other blocks may be examples: only what names a file that no such line writes is told. */
function besideFiles(
  paths: readonly string[],
  patches: readonly Rejected[],
  written: ReadonlySet<string>,
): NamedBlocks {
  const notes = paths
    .filter((path) => !written.has(path))
    .map((path) => `a block of ${JSON.stringify(path)} has no FILE: line, and was not taken`)
  return {
    blocks: [],
    rejected: patches.filter(({ path }) => path !== 'a block' && !written.has(path)),
    notes,
  }
}

function blockProblem(part: Region): string | undefined {
  if (part.kind !== 'fence') return `stands over a block with blocks of its own: ${wanted}`
  const line = findLeftOut(part.content)
  return line === undefined ? undefined : `holds ${JSON.stringify(line)} in place of text: ${wanted}`
}

const before =
  /^[ \t]*(?:>[ \t]?)*(?:(?:[-*+•]|\d{1,3}[.)])[ \t]+)?(?:#{1,6}[ \t]+)?([*_`]{0,3})(?:(file(?:[ \t]?(?:name|path))?|path)\b[ \t*_`]{0,4}(?:[:=][ \t]*|[-–—][ \t]+|(?=[ \t])[ \t]*))?(.*)$/i
const infoName =
  /(?:^|[\s{,])(?:title|file(?:name|path)?|path|name)[ \t]*[=:][ \t]*["']?([^"'\s}]+)|^[\w+#-]+(?:[ \t]+|:)([^\s:=]+)$|^([^\s:={}]+\.\w+)$/i
const comment =
  /^[ \t]*(?:#|\/\/|--|;|%|\/\*+|<!--)[ \t]*((?:file(?:name|path)?|path)[ \t]*:[ \t]*)?([^\s*]+)[ \t]*(?:\*\/|-->)?[ \t]*$/i

/** Returns the paths that a block's surroundings name, without its `FILE:` line: those of the task's files, if there are any. */
function namesOf(part: Region, lines: readonly string[], given: Files): string[] {
  let above = part.firstLine - 1
  if (above > 0 && lines[above]?.trim() === '') above--
  const [, mark = '', label, rest = ''] = before.exec((lines[above] ?? '').slice(0, 400)) ?? []
  const [, within, first] =
    part.kind === 'fence' ? (comment.exec(part.content.slice(0, 400).split('\n', 1)[0] ?? '') ?? []) : []
  const info = part.kind === 'fence' ? part.info : ''
  const [, title, second, alone] = infoName.exec(info.slice(0, 400)) ?? []
  const paths = [
    pathOf(readName(mark + rest).written, label !== undefined, given),
    pathOf(title ?? second ?? alone, title !== undefined, given),
    pathOf(first, within !== undefined, given),
  ]
  const named = [...new Set(paths)].filter((path) => path !== undefined)
  const own = named.filter((path) => Object.hasOwn(given, path))
  return (own.length > 0 ? own : named).filter((path) => !(isRunText(info) && isOtherText(path)))
}

const extension = /[^/]\.([A-Za-z]\w{0,9})$/
const isOtherText = (path: string) => {
  const ending = extension.exec(path)?.[1] ?? ''
  return readInfo(ending).isKnown && !isRunText(ending)
}

// `console.log`, `sys.stdout` and `results.out` in a heading speak of code.
const isFileEnding = (ending: string) =>
  readInfo(ending).isKnown && !/^(?:log|out|none|text|code|http|\w{6,})$/.test(ending)

/** Returns a text as a path, if it surely is one: a file of the task, or one whose ending is known or stands in a folder. */
function pathOf(written: string | undefined, isLabelled: boolean, given: Files): string | undefined {
  if (written === undefined || !/^[^`"*<>|?,;=\n]+$/.test(written)) return undefined
  const place = normalizePath(written)
  if ('problem' in place) return undefined
  const { path } = place
  if (Object.hasOwn(given, path)) return path
  const ending = extension.exec(path)?.[1]
  const isSure = ending !== undefined && (isLabelled || path.includes('/') || isFileEnding(ending))
  return isSure && !/[\s:()]/.test(written) ? path : undefined
}

/** Returns what says how files change, in a block without a `FILE:` line or in none, as refused paths. */
export function patchesIn({ lines, regions }: ScannedReply, given: Files, fallback = 'a block'): Rejected[] {
  return regions.flatMap((part) => {
    const { kind, firstLine, endLine } = part
    if (kind === 'wrapper' || kind === 'thoughts' || (kind === 'fence' && part.owner)) return []
    const text =
      kind === 'fence' ? part.content : lines.slice(firstLine, Math.min(endLine, firstLine + 500)).join('\n')
    const start = kind === 'fence' ? 0 : patchStart.exec(text)?.index
    const changes =
      start === undefined ? undefined : changesIn(text.slice(start), kind === 'fence' ? part.info : '')
    if (changes === undefined) return []
    const named = /^(?:\+\+\+ (?:b\/)?(?!\/dev\/null)|\*\*\* (?:Update|Add) File: )(\S+)/m.exec(
      text.slice(0, 20_000),
    )
    return [
      {
        path: named?.[1] ?? namesOf(part, lines, given)[0] ?? fallback,
        reason: `is given as ${changes}, not as a whole file: ${wanted}`,
      },
    ]
  })
}

const patchStart = /^(?:\*\*\* Begin Patch|diff --git |--- \S.*\n\+\+\+ |<{5,9} ?SEARCH\b)/m
