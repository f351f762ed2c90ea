import type { BuildError, RawOutput, TestFailure } from '../../src/schema/stage/tool-reports.ts'
import { hideNumbers, plainText, steadyOutput } from './steady-text.ts'

/** How a program ended, and what it printed. `exitCode` is null if something ended it. */
export interface ToolOutput {
  output: string
  exitCode: number | null
}

const longestMessage = 400
const longestRaw = 256 * 1024

/** Returns the message of a failure as equal runs have it: plain, without blank lines and the space around it, and not too long. */
export function failureMessage(text: string): string {
  return plainMessage(hideNumbers(plainText(text)).replace(/(?:file:\/\/)?\/workspace\//g, ''))
}

/** Returns a name or a message: plain, without blank lines and the space around it, and not too long. */
export function plainMessage(text: string): string {
  const message = plainText(text)
    // pytest spells such characters in XML; without one of them a terminal shows nothing.
    .replace(/#x1B\[[\d;]*[A-Za-z]/g, '')
    .replace(/#x(?:0[0-8BCEF]|1[0-9A-F]|7F)(?![0-9A-F])|(?![\n\t])\p{Cc}/gu, '')
    .replace(/\n\s*(?=\n|$)/g, '')
    .trim()
  const characters = [...message.slice(0, 2 * longestMessage + 2)]
  return characters.length > longestMessage ? `${characters.slice(0, longestMessage).join('')}…` : message
}

/** Passes on output that was not understood. Of very long output, the middle is left out, and the text says so. */
export function rawOutput(reason: string, text: string): RawOutput {
  const plain = steadyOutput(text).trim()
  if (plain.length <= longestRaw) return { reason, text: plain }
  const half = longestRaw / 2
  const left = plain.length - 2 * half
  return { reason, text: `${plain.slice(0, half)}\n[… ${left} characters left out …]\n${plain.slice(-half)}` }
}

/** Returns what several reports did not understand as one part of a report; nothing if they understood all. */
export function mergeRaw(reports: readonly { raw?: RawOutput | undefined }[]): { raw?: RawOutput } {
  const raws = reports.flatMap(({ raw }) => (raw ? [raw] : []))
  if (raws.length === 0) return {}
  const reason = raws.map((raw) => raw.reason).join('; ')
  return { raw: { reason, text: raws.map(({ text }) => text).join('\n') } }
}

/** Returns a path from the workspace on: without its folder, and without what makes it a URL. */
export function relativePath(path: string, workspace: string): string {
  const plain = path.startsWith('file://') ? decodePath(path.slice('file://'.length)) : path
  return plain.startsWith(`${workspace}/`) ? plain.slice(workspace.length + 1) : plain.replace(/^\.\//, '')
}

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

type Key = readonly (string | number)[]

/** Returns failures by file, line and name: the order in which a runner ends its tests may differ. */
export const orderFailures = (failures: readonly TestFailure[]): TestFailure[] =>
  orderBy(failures, ({ file, line = 0, test_name, error }) => [file, line, test_name, error])

/** Returns errors by file and place; those of the whole build come first. */
export const orderErrors = (errors: readonly BuildError[]): BuildError[] =>
  orderBy(errors, ({ file = '', line = 0, column = 0, code = '', message }) => [
    file,
    line,
    column,
    code,
    message,
  ])

function orderBy<Item>(items: readonly Item[], keyOf: (item: Item) => Key): Item[] {
  const keyed = items.map((item) => ({ item, key: keyOf(item) }))
  return keyed.sort((a, b) => compare(a.key, b.key)).map(({ item }) => item)
}

/** Compares by code units, never by a language. */
function compare(one: Key, other: Key): number {
  const at = one.findIndex((part, i) => part !== other[i])
  return at < 0 ? 0 : (one[at] as string) < (other[at] as string) ? -1 : 1
}

interface Saving {
  rawTokens: number
  compactTokens: number
  /** The part that is saved; below 0 if the report is the longer one, null if the tool printed nothing. */
  share: number | null
}

/** Measures the saving of a report as it is handed on, as JSON on one line, against the output as equal runs print it. */
export function measureSaving(output: string, report: unknown): Saving {
  const rawTokens = tokensOf(steadyOutput(output))
  const compactTokens = tokensOf(JSON.stringify(report))
  return { rawTokens, compactTokens, share: rawTokens === 0 ? null : 1 - compactTokens / rawTokens }
}

/** 4 characters a token. A marker of a simulated reply is no more than its characters here: a tool printed it. */
const tokensOf = (text: string) => Math.ceil(text.length / 4)
