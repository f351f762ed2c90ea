import type { Files } from '../schema/task.ts'
import { missingFile } from './missing-file.ts'
import type { ToolResult } from './tool-result.ts'

/** Most characters of one result: a model that reads a huge file would have no room for anything else. */
export const longestResult = 40_000

const ok = (text: string): ToolResult => ({ outcome: 'ok', text })
const failed = (text: string): ToolResult => ({ outcome: 'failed', text })

/** Returns a file, or as much of it as one result may have, and how to read on. */
export function readFile(files: Files, path: string, args: Readonly<Record<string, unknown>>): ToolResult {
  if (!Object.hasOwn(files, path)) return missingFile(files, path)
  const text = files[path] as string
  if (text === '') return ok(`(${path} is empty)`)
  const lines = text.split('\n')
  const count = text.endsWith('\n') ? lines.length - 1 : lines.length
  const from = Number(args.from_line ?? 1)
  if (from > count) return failed(`${path} has ${lineCount(count)}, so it has no line ${from}.`)
  const first = lines[from - 1] as string
  const start = Number(args.from_character ?? 1)
  if (start > Math.max(1, first.length))
    return failed(`Line ${from} of ${path} has ${first.length} characters, so it has no character ${start}.`)
  lines[from - 1] = first.slice(start - 1)
  const most = Math.min(count, from - 1 + Number(args.lines ?? count))
  let length = 0
  let to = from - 1
  while (to < most && length + (lines[to] as string).length + 1 <= longestResult) {
    length += (lines[to] as string).length + 1
    to++
  }
  if (to === from - 1) return partOfLine(first, start, `line ${from} of ${count}`, from)
  if (from === 1 && start === 1 && to === count) return ok(text)
  const isOne = from === to && start > 1
  const range = isOne ? `line ${from} of ${count}` : `lines ${from} to ${to} of ${count}`
  const cut = start === 1 ? '' : `, from character ${start}${isOne ? '' : ` of line ${from}`}`
  const rest = to < count ? `; read on with from_line ${to + 1}` : ''
  return ok(`${lines.slice(from - 1, to).join('\n')}\n[${range}${cut}${rest}]`)
}

/** Returns as much of a line as one result may have. */
function partOfLine(line: string, start: number, place: string, number: number): ToolResult {
  const whole = line.slice(start - 1, start - 1 + longestResult)
  // A character outside of the Basic Multilingual Plane is two of JavaScript's.
  const part = /[\ud800-\udbff]$/.test(whole) ? whole.slice(0, -1) : whole
  const next = start + part.length
  const rest = `; read on with from_line ${number} and from_character ${next}`
  return ok(`${part}\n[${place}, characters ${start} to ${next - 1} of ${line.length}${rest}]`)
}

const lineCount = (count: number) => (count === 1 ? '1 line' : `${count} lines`)
