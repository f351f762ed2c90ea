import type { ToolsText } from '../../loop/plan/method-options.ts'
import { unknownName } from '../../loop/plan/unknown-name.ts'
import { type Tool, type WorkspaceToolName, workspaceTools } from '../../schema/tool/tool.ts'
import type { Problem } from '../../text/errors.ts'
import type { ConfigFile } from '../config/config-file.ts'

/** A tool of a run as its owner describes it, before its files are read and its server has been asked. */
export interface NamedTool {
  id: string
  tool: Tool
  /** Where it is described, for messages. */
  where: string
}

/** The words of `--tools` that need no description. */
export const toolWords: readonly string[] = [...workspaceTools, 'memory']

/** Whether a text gives no tools, and takes away those of a method's documents. */
export const takesToolsAway = (given: ToolsText | undefined): boolean => given?.text.trim() === 'none'

/** Names that a tool of the config file cannot have. */
export const reservedNames: readonly string[] = [...toolWords, 'workspace', 'none']

const example = 'Write for example read,list,write,check.'

/**
 * Returns the tools that a text names, in an order that does not depend on the text: `workspace`, `memory`, then tools of the
 * config file by name. None for `none`. Adds all mistakes to `problems`.
 */
export function namedTools(
  { text, where }: ToolsText,
  config: ConfigFile | undefined,
  problems: Problem[],
): NamedTool[] {
  const names = text.split(/[,+]/).map((name) => name.trim())
  const own = config?.config.tools ?? {}
  if (takesToolsAway({ text, where })) return []
  problems.push(...nameProblems(names, where, Object.keys(own)))
  const given = new Set(names)
  const allow = workspaceTools.filter((word) => given.has(word))
  return [
    ...(allow.length > 0 ? [workspaceTool(allow, where)] : []),
    ...(given.has('memory') ? [{ id: 'memory', tool: memory, where }] : []),
    ...[...given].sort().flatMap((id) => {
      const tool = Object.hasOwn(own, id) && !reservedNames.includes(id) ? own[id] : undefined
      return tool && config ? [{ id, tool, where: config.where('tools', id, 'config') }] : []
    }),
  ]
}

const memory: Tool = { kind: 'memory', config: {} }

const workspaceTool = (allow: WorkspaceToolName[], where: string): NamedTool => ({
  id: 'workspace',
  tool: { kind: 'workspace', config: { allow } },
  where,
})

function nameProblems(names: readonly string[], where: string, own: readonly string[]): Problem[] {
  const known = [...toolWords, ...own.filter((name) => !reservedNames.includes(name))]
  return [...new Set(names)].flatMap((name): Problem[] => {
    if (name === '')
      return [{ where, what: 'has an empty name of a tool', fix: `${example} For no tools, write none.` }]
    if (name === 'none')
      return [{ where, what: 'names tools and none', fix: 'Write none alone, or leave it out.' }]
    if (names.indexOf(name) < names.lastIndexOf(name))
      return [{ where, what: `names the tool "${name}" twice`, fix: 'Name each tool once.' }]
    if (known.includes(name)) return []
    const list = own.length > 0 ? 'tools in bench.config.yaml' : 'docs/guides/agent-tools.md'
    return [unknownName(where, 'tool', name, known, list)]
  })
}
