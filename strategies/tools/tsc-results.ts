import type { BuildError, BuildResults } from '../../src/schema/stage/tool-reports.ts'
import { failureMessage, rawOutput, relativePath, type ToolOutput } from './output-text.ts'
import { orderErrors } from './stable-order.ts'
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
  const reason = doubt(exitCode, errors.length, unknown.length)
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

function doubt(exitCode: number | null, errors: number, unknown: number): string | undefined {
  if (exitCode === null) return 'tsc did not end by itself'
  if (exitCode !== 0 && errors === 0) return `tsc ended with exit code ${exitCode}, and no error was found`
  return unknown > 0 ? 'lines that are no diagnostics of tsc' : undefined
}
