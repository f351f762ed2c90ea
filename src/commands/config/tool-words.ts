import { unknownName } from '../../loop/plan/unknown-name.ts'
import { workspaceTools } from '../../schema/tool/tool.ts'
import type { Problem } from '../../text/errors.ts'

/** The words of `--tools` that need no description. */
const toolWords: readonly string[] = [...workspaceTools, 'memory']

/** Names that a tool of the config file cannot have. */
export const reservedNames: readonly string[] = [...toolWords, 'workspace', 'none']

/** Divides a text as `--tools` takes it. */
export const splitTools = (text: string): string[] => text.split(/[,+]/).map((name) => name.trim())

/** Whether a text gives no tools, and takes away those of a method's documents. */
export const takesToolsAway = (text: string | undefined): boolean => text?.trim() === 'none'

const example = 'Write for example read,list,write,check.'

/** Returns the problems of a text that names tools; `own` are the names of tools in the config file. */
export function toolTextProblems(text: string, where: string, own: readonly string[]): Problem[] {
  if (takesToolsAway(text)) return []
  const names = splitTools(text)
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
