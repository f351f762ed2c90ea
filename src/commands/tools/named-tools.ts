import type { ToolsText } from '../../loop/plan/method-options.ts'
import { type Tool, type WorkspaceToolName, workspaceTools } from '../../schema/tool/tool.ts'
import type { Problem } from '../../text/errors.ts'
import type { ConfigFile } from '../config/config-file.ts'
import { reservedNames, splitTools, toolTextProblems } from '../config/config-tools.ts'

/** A tool of a run as its owner describes it, before its files are read and its server has been asked. */
export interface NamedTool {
  id: string
  tool: Tool
  /** Where it is described, for messages. */
  where: string
}

/**
 * Returns the tools that a text names, in an order that does not depend on the text: `workspace`, `memory`, then tools of the
 * config file by name. None for `none`. Adds all mistakes to `problems`.
 */
export function namedTools(
  { text, where }: ToolsText,
  config: ConfigFile | undefined,
  problems: Problem[],
): NamedTool[] {
  const own = config?.config.tools ?? {}
  problems.push(...toolTextProblems(text, where, Object.keys(own)))
  const given = new Set(splitTools(text))
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
