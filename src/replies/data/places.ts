/** Where a part of a reply stands. Values are read from `plain` first, then from `quoted`, and from `code` last. */
export type Place = 'plain' | 'quoted' | 'code'

/** A part of a reply that can hold values. Parts stand in the order of the reply. */
export interface Part {
  place: Place
  text: string
  /** Whether it is the content of a fenced block. */
  isBlock: boolean
}

/** Languages of fenced blocks that hold data or plain text. */
const dataLanguages = new Set(['', 'json', 'jsonc', 'json5', 'jsonl', 'ndjson', 'text', 'txt', 'plaintext'])

/**
 * Divides a reply into its parts: prose and the blocks of data are plain, lines that begin with `>` are quoted, and blocks of another
 * language are code. A value of strict JSON never lies in two parts, since its strings hold no line ends.
 */
export function splitPlaces(reply: string): Part[] {
  const parts: (Omit<Part, 'text'> & { lines: string[] })[] = []
  let open: { fence: string; place: Place } | undefined
  let isBegin = true
  const add = (line: string, place: Place, isBlock: boolean) => {
    const last = parts.at(-1)
    if (last && !isBegin && last.place === place && last.isBlock === isBlock) last.lines.push(line)
    else parts.push({ place, isBlock, lines: [line] })
    isBegin = false
  }
  for (const line of reply.split('\n')) {
    if (open) {
      if (closes(line, open.fence)) {
        open = undefined
        isBegin = true
      } else add(line, open.place, true)
      continue
    }
    const fence = openingFence(line)
    if (fence) {
      open = fence
      isBegin = true
    } else if (/^\s*>/.test(line)) add(line.replace(/^[\s>]*>/, ''), 'quoted', false)
    else add(line, 'plain', false)
  }
  return parts.map(({ lines, ...part }) => ({ ...part, text: lines.join('\n') }))
}

/** Reads the line that opens a fenced block. A fence of backticks has none behind it: such a line is inline code. */
function openingFence(line: string): { fence: string; place: Place } | undefined {
  const [, fence, info = ''] = /^[ \t]*(`{3,}|~{3,})(.*)$/.exec(line) ?? []
  if (fence === undefined || (fence.startsWith('`') && info.includes('`'))) return undefined
  const language = info.trim().split(/[\s{]/, 1)[0]?.toLowerCase() ?? ''
  return { fence, place: dataLanguages.has(language) ? 'plain' : 'code' }
}

function closes(line: string, fence: string): boolean {
  const text = line.trim()
  return text.length >= fence.length && text.startsWith(fence) && text === fence.charAt(0).repeat(text.length)
}

/** Returns the spans of inline code of a text, in order: from one run of backticks to the next of its length in the line. */
export function codeSpans(text: string): { start: number; end: number }[] {
  const spans: { start: number; end: number }[] = []
  let lineStart = 0
  for (const line of text.split('\n')) {
    const runs = Array.from(line.matchAll(/`+/g), ({ 0: run, index }) => ({ at: index, length: run.length }))
    const last = new Map(runs.map(({ at, length }) => [length, at]))
    for (let i = 0; i < runs.length; i++) {
      const { at, length } = runs[i] as (typeof runs)[number]
      if (last.get(length) === at) continue
      let j = i + 1
      while (runs[j]?.length !== length) j++
      spans.push({ start: lineStart + at, end: lineStart + (runs[j]?.at ?? 0) + length })
      i = j
    }
    lineStart += line.length + 1
  }
  return spans
}
