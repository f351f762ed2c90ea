import type { KnownStrategy } from '../../loop/plan/method-options.ts'
import { type Problem, UserError } from '../../text/errors.ts'
import type { MergedOptions } from '../config/merge-options.ts'
import { type ReadTools, readTools, resolveTools } from '../tools/resolve-tools.ts'
import { selectTools } from '../tools/select-tools.ts'
import { toolUseNotes, withTools } from '../tools/tool-files.ts'
import type { CreatedAgents, NamedAgents } from './new-agents.ts'

/** Reads the tools that are given to methods. Adds every problem. */
export const readGivenTools = (
  given: MergedOptions,
  methods: Parameters<typeof selectTools>[1],
  problems: Problem[],
): ReadTools => readTools(selectTools(given, methods, problems), process.cwd(), problems)

/** Starts the servers of tools, and gives the methods their tools. Throws `UserError` if a tool is wrong. */
export async function equip(
  {
    named,
    strategies,
    rows,
    chosenTools,
  }: { named: NamedAgents; chosenTools: ReadTools; strategies: KnownStrategy[] } & Pick<
    CreatedAgents,
    'rows'
  >,
  parts: Parameters<typeof resolveTools>[1],
  problems: Problem[],
): Promise<{ equipped: NamedAgents; notes: string[] }> {
  const { tools, notes } = await resolveTools(chosenTools, parts, problems)
  if (problems.length > 0) throw new UserError(problems)
  const equipped = { ...named, methods: withTools(named.methods, tools) }
  return { equipped, notes: [...notes, ...chosenTools.notes, ...toolUseNotes(equipped, strategies, rows)] }
}
