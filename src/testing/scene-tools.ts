import type { AskOptions, KindOfWork } from '../ask.ts'
import { workspaceTools } from '../schema/tool/tool.ts'
import type { SceneTools } from './play-tools.ts'

/**
 * Returns the tools of a scene that an ask has: all of them if it produces work, else those that it names. Throws for a name that no
 * tool of the scene has or begins with, as a run does.
 */
export function toolsOfPlayedAsk(
  { role, work, options }: { role: string; work: KindOfWork; options: AskOptions },
  tools: SceneTools = {},
): SceneTools | undefined {
  const all = Object.keys(tools)
  const named = (options.tools ?? []).flatMap((name) => {
    const own = all.filter((one) => isToolOf(name, one))
    if (own.length > 0) return own
    const list = all.length === 0 ? 'It has none.' : `It has: ${all.join(', ')}.`
    throw new Error(
      `[strategy] ask("${role}"): the scene has no tool "${name}". ${list} Give it in \`tools\` of the scene.`,
    )
  })
  const own = work === 'produce' ? all : all.filter((name) => named.includes(name))
  return own.length === 0 ? undefined : Object.fromEntries(own.map((name) => [name, tools[name] ?? '']))
}

/** Whether a name in an ask means a tool: its own name, or the id of the tool in a run. */
function isToolOf(id: string, name: string): boolean {
  if (id === name || name.startsWith(`${id}__`)) return true
  if (id === 'workspace') return workspaceTools.some((word) => word === name)
  return id === 'memory' && name.startsWith('memory_')
}
