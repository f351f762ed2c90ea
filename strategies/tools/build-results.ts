import type { BuildError, BuildResults } from '../../src/schema/stage/tool-reports.ts'
import {
  failureMessage,
  mergeRaw,
  orderErrors,
  rawOutput,
  relativePath,
  type ToolOutput,
} from './output-text.ts'
import { plainText } from './steady-text.ts'

// With `--pretty false`, with colours, and for the whole build.
const plain =
  /^(?<file>.+?)\((?<line>\d+),(?<column>\d+)\): (?<kind>error|warning) (?<code>TS\d+): (?<message>.*)$/
const pretty =
  /^(?<file>\S.*?):(?<line>\d+):(?<column>\d+) - (?<kind>error|warning) (?<code>TS\d+): (?<message>.*)$/
const global = /^(?<kind>error|warning) (?<code>TS\d+): (?<message>.*)$/

/** Lines that belong to an error with colours: the source, the marks under it, the table at the end; and `--watch` or `--build` talk. */
const known =
  /^(?:\s*|\s*\d+ .*|\s*~+\s*|\s*\.\.\. .*|Found \d+ errors?.*|Errors +Files|\s+\d+ +\S.*:\d+|\[?\d\d:\d\d:\d\d.*)$/

type Diagnostic = BuildError & { isError: boolean }

/** Reads what `tsc` printed. Indented lines behind an error belong to its message; any other line is passed on under `raw`. */
export function readTscResults({ output, exitCode }: ToolOutput, workspace: string): BuildResults {
  const found: Diagnostic[] = []
  const unknown: string[] = []
  let isPretty = false
  for (const line of plainText(output).split('\n')) {
    const { groups } = plain.exec(line) ?? pretty.exec(line) ?? global.exec(line) ?? {}
    const last = found.at(-1)
    if (groups) {
      isPretty ||= pretty.test(line)
      found.push(diagnostic(groups, workspace))
    } else if (line.trim() === '' || (isPretty && known.test(line))) continue
    else if (last && /^\s/.test(line)) last.message += `\n${line.trim()}`
    else unknown.push(line)
  }
  const errors = found.filter(({ isError }) => isError).map(withoutKind)
  const reason = doubtTsc(exitCode, errors.length, unknown.length)
  return {
    success: exitCode === 0 && errors.length === 0,
    summary: { errors: errors.length, warnings: found.length - errors.length },
    errors: orderErrors(errors),
    ...(reason !== undefined && {
      raw: rawOutput(
        reason,
        errors.length > 0 ? [...unknown, ...cutLine(output, exitCode)].join('\n') : output,
      ),
    }),
  }
}

/** The last line of a program that did not end by itself may be cut off. */
const cutLine = (output: string, exitCode: number | null) =>
  exitCode === null ? [output.slice(output.lastIndexOf('\n') + 1)] : []

function diagnostic(groups: Readonly<Record<string, string | undefined>>, workspace: string): Diagnostic {
  const { file, line, column, kind, code = '', message = '' } = groups
  const place = file !== undefined && {
    ...{ file: relativePath(file, workspace), line: Number(line), column: Number(column) },
  }
  return { isError: kind === 'error', ...place, code, message }
}

const withoutKind = ({ isError: _, message, ...rest }: Diagnostic): BuildError => ({
  ...rest,
  message: failureMessage(message),
})

function doubtTsc(exitCode: number | null, errors: number, unknown: number): string | undefined {
  if (exitCode === null) return 'tsc did not end by itself'
  if (exitCode !== 0 && errors === 0) return `tsc ended with exit code ${exitCode}, and no error was found`
  return unknown > 0 ? 'lines that are no diagnostics of tsc' : undefined
}

const start = 'error during build:\n'
/** A message of the bundler, with the code or the plugin that it is from. */
const header = /^\[(?:plugin (?<plugin>[^\]]+)|(?<code>[A-Z][A-Z_]+))\] (?<text>.*)$/

/**
 * Reads what `vite build` printed. It has no format of its own: the exit code decides, and the last error block is taken apart
 * as far as its form is known. A block of another form is one error, its message.
 */
export function readViteResults({ output, exitCode }: ToolOutput, workspace: string): BuildResults {
  const text = plainText(output)
  const at = exitCode === 0 ? -1 : text.lastIndexOf(start)
  const block = at < 0 ? '' : text.slice(at + start.length)
  const [before] = at < 0 ? [text] : [text.slice(0, at)]
  const parts = splitByHeader(withoutFrames(block))
  const old = parts.length > 0 ? [] : rollupErrors(withoutFrames(block), workspace)
  const known = parts.length > 0 ? parts.map((part) => errorOf(part, workspace)).filter(isOwn) : old
  const errors = known.length > 0 ? known : plainError(block)
  const stated = Number(
    /^(?:\[[^\]\n]+\] )?(?:Error: )?(?:Build|Transform) failed with (\d+) errors?:/m.exec(block)?.[1] ??
      errors.length,
  )
  const reason = doubtVite(exitCode, errors.length, stated)
  return {
    success: exitCode === 0,
    summary: { errors: errors.length, warnings: splitByHeader(before).length },
    errors: orderErrors(errors),
    ...(reason !== undefined && { raw: rawOutput(reason, output) }),
  }
}

/** The error of a build inside of another build says only that it follows. */
const isOwn = ({ message }: BuildError, i: number, { length }: readonly unknown[]) =>
  i === length - 1 || !/\bBuild failed with \d+ errors?:$/.test(message)

const splitByHeader = (text: string): string[] =>
  text
    .split(/^(?=\[(?:plugin [^\]\n]+|[A-Z][A-Z_]+)\] )/m)
    .filter((part) => header.test(part.split('\n')[0] ?? ''))

const withoutFrames = (block: string) =>
  block.replace(/^ {4}at .*\n?/gm, '').replace(/^\{?\n? {2}errors: .*\n\}$/m, '')

function errorOf(part: string, workspace: string): BuildError {
  const [first = '', ...lines] = part.split('\n')
  const { plugin, code = plugin, text = '' } = header.exec(first)?.groups ?? {}
  const drawn = /─\[ (.+):(\d+):(\d+) \]/.exec(part)
  const named = plugin === undefined ? null : /^(.+):(\d+):(\d+)$/.exec(text)
  const [, file, line, column] = drawn ?? named ?? []
  // Behind the place, a plugin writes its own message.
  const own = named
    ? lines.join('\n')
    : [text, ...lines.filter((one) => !/^ *\S* *[│╭╰─·]/.test(one))].join('\n')
  return {
    ...(file !== undefined && {
      file: relativePath(file, workspace),
      line: Number(line),
      column: Number(column),
    }),
    ...(code !== undefined && { code }),
    message: failureMessage(own),
  }
}

/** An error that no plugin and no code has, such as that of a config file. */
function plainError(block: string): BuildError[] {
  const message = failureMessage(withoutFrames(block).replace(/^Build failed with \d+ errors?:$/m, ''))
  return message === '' ? [] : [{ message }]
}

function doubtVite(exitCode: number | null, errors: number, stated: number): string | undefined {
  if (exitCode === null) return 'vite did not end by itself'
  if (exitCode !== 0 && errors === 0) return `vite ended with exit code ${exitCode} and said no error`
  return errors === stated ? undefined : `vite says that there are ${stated} errors, and ${errors} were found`
}

const esbuildError = /^(?<file>\S.*):(?<line>\d+):(?<column>\d+): ERROR: (?<message>.*)$/
const fileLine = /^file: (?<file>.+?)(?:\?.*?)?(?::(?<line>\d+):(?<column>\d+))?(?: \(.+\))?$/
const unresolved = /\bfailed to resolve import ".+" from "(?<file>[^"]+)"/
/** Lines of the source, and the mark under one. */
const frame = /^(?:\d+: .*|\d+ +\| .*|\d+ +\||[ |]*\^+~*)$/

/**
 * Takes apart an error of vite 5 to 7, which rollup writes: a message with the plugin in front of it, a line `file: …`, and an
 * excerpt of the source. esbuild may have found several. Returns nothing for a text of another form.
 */
function rollupErrors(block: string, workspace: string): BuildError[] {
  const lines = block.trim().split('\n')
  const [, plugin] = /^\[([^\]\n]+)\] /.exec(lines[0] ?? '') ?? []
  const code = plugin !== undefined && { code: plugin }
  const several = partsOf(lines, esbuildError)
  if (several.length > 0)
    return several.map(({ message = '', ...place }) => ({
      ...placeOf(place, workspace),
      ...code,
      message: failureMessage(message),
    }))
  const [place] = [...partsOf(lines, fileLine), ...partsOf(lines, unresolved)]
  if (!place) return []
  const own = lines.filter((line) => !fileLine.test(line) && !frame.test(line)).join('\n')
  const message = failureMessage(plugin === undefined ? own : own.slice(plugin.length + 3))
  return [{ ...placeOf(place, workspace), ...code, message }]
}

type Parts = Readonly<Record<string, string | undefined>>

const partsOf = (lines: readonly string[], pattern: RegExp): Parts[] =>
  lines.flatMap((line) => {
    const groups = pattern.exec(line)?.groups
    return groups ? [groups] : []
  })

const placeOf = ({ file = '', line, column }: Parts, workspace: string) => ({
  file: relativePath(file, workspace),
  ...(line !== undefined && { line: Number(line), column: Number(column) }),
})

/** Returns one report for several checks of a build. */
export function mergeBuildResults(all: readonly BuildResults[]): BuildResults {
  const sum = (of: (one: BuildResults) => number) => all.reduce((total, one) => total + of(one), 0)
  return {
    success: all.every(({ success }) => success),
    summary: {
      errors: sum(({ summary }) => summary.errors),
      warnings: sum(({ summary }) => summary.warnings),
    },
    errors: all.flatMap(({ errors }) => errors),
    ...mergeRaw(all),
  }
}
