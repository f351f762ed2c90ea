import type { ResolvedMcpTool, ResolvedTool } from '../../schema/tool/tool-set.ts'
import type { Problem } from '../../text/errors.ts'
import type { Redactor } from '../../text/redact.ts'
import type { NamedTool } from './named-tools.ts'

/**
 * Returns the problems of a tool whose texts hold a secret: they would stand in run.json and in each request, and cannot be
 * redacted, since agents call tools by them.
 */
export function toolSecretProblems(
  { id, tool, where }: { id: string; tool: ResolvedTool; where: string },
  redact: Redactor,
): Problem[] {
  const isSecret = (value: unknown) => redact.data(value) !== value
  if (!isSecret(tool)) return []
  const said = tool.kind === 'mcp' ? serverTexts(tool).filter(({ value }) => isSecret(value)) : []
  if (said.length === 0) return [settingsProblem({ id, tool, where }, redact)]
  return said.map(({ what, value, fix }) => {
    const names = secretNames(value, redact)
    return {
      where,
      what: `the server of "${id}" gives ${redact.text(what)} with the secret ${names}`,
      fix: `${redact.text(fix)}, or unset ${names} for this run.`,
    }
  })
}

/**
 * Returns the problem of a tool whose settings hold a secret, or held one before they were redacted: its server would be started
 * with other settings than the user wrote.
 */
export function secretSettings({ id, tool, where }: NamedTool, redact: Redactor): Problem | undefined {
  const isSecret = secretNames(tool.config, redact) !== ''
  return isSecret ? settingsProblem({ id, tool: tool.config, where }, redact) : undefined
}

function settingsProblem(
  { id, tool, where }: { id: string; tool: object; where: string },
  redact: Redactor,
): Problem {
  const names = secretNames(tool, redact)
  return {
    where,
    what: `the settings of the tool "${id}" hold the secret ${names}`,
    fix: `Take it out, or unset ${names} for this run.`,
  }
}

/** Returns the names of the secrets in a value, whether they are redacted already or not. */
function secretNames(value: unknown, redact: Redactor): string {
  const text = JSON.stringify(redact.data(value))
  return redact.names.filter((name) => text.includes(`[redacted ${name}]`)).join(', ')
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
