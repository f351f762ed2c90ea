import type { ResolvedMcpTool, ResolvedTool } from '../../schema/tool/tool-set.ts'
import type { Problem } from '../../text/errors.ts'
import type { Redactor } from '../../text/redact.ts'
import { shorten } from '../../text/shorten.ts'

/**
 * Returns the problems of a tool whose texts hold a secret: they would stand in run.json and in each request, and cannot be
 * redacted, since agents call tools by them.
 */
export function toolSecretProblems(
  { id, tool, where }: { id: string; tool: ResolvedTool; where: string },
  redact: Redactor,
): Problem[] {
  const shown = (value: unknown) => shorten(redact.text(JSON.stringify(value)), 200)
  const isSecret = (value: unknown) => redact.data(value) !== value
  if (!isSecret(tool)) return []
  const said = tool.kind === 'mcp' ? serverTexts(tool).filter(({ value }) => isSecret(value)) : []
  if (said.length === 0)
    return [
      {
        where,
        what: `the settings of the tool "${id}" hold a secret: ${shown(tool)}`,
        fix: 'Take it out, or unset the variable for this run.',
      },
    ]
  return said.map(({ what, value, fix }) => ({
    where,
    what: `the server of "${id}" gives ${redact.text(what)} that holds a secret: ${shown(value)}`,
    fix: `${redact.text(fix)}, or unset the variable for this run.`,
  }))
}

/** The texts of a server, with what to do about each. */
const serverTexts = ({ server, definitions }: ResolvedMcpTool) => [
  { what: 'itself a name or a version', value: server, fix: 'Correct the server' },
  ...definitions.flatMap(({ name, original, description, inputSchema }) => {
    const fix = `Correct the server, take ${JSON.stringify(original)} out of \`allow\``
    return [
      { what: 'a tool a name', value: [original, name], fix },
      { what: `its tool ${JSON.stringify(original)} a description`, value: description, fix },
      { what: `its tool ${JSON.stringify(original)} a schema of arguments`, value: inputSchema, fix },
    ]
  }),
]
