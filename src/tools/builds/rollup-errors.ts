import type { BuildError } from '../../schema/stage/tool-reports.ts'
import { failureMessage, relativePath } from '../output-text.ts'

const esbuildError = /^(?<file>\S.*):(?<line>\d+):(?<column>\d+): ERROR: (?<message>.*)$/
const fileLine = /^file: (?<file>.+?)(?:\?.*?)?(?::(?<line>\d+):(?<column>\d+))?(?: \(.+\))?$/
const unresolved = /\bfailed to resolve import ".+" from "(?<file>[^"]+)"/
/** Lines of the source, and the mark under one. */
const frame = /^(?:\d+: .*|\d+ +\| .*|\d+ +\||[ |]*\^+~*)$/

/**
 * Takes apart an error of vite 5 to 7, which rollup writes: a message with the plugin in front of it, a line `file: …`, and an
 * excerpt of the source. esbuild may have found several. Returns nothing for a text of another form.
 */
export function rollupErrors(block: string, workspace: string): BuildError[] {
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
