import type { Profile } from '../../schema/agent/profile.ts'
import { countsChecks, quotesContent } from '../../schema/tool/result-text.ts'
import type { ToolTurn } from '../agent.ts'

type Gain = NonNullable<Profile['tools']>['gain']

/** Returns the logits that the tools of these turns give: each kind or name once, where a call of it succeeded. */
export function toolGain(gain: Gain, turns: readonly ToolTurn[]): number {
  const used = turns.flatMap(({ results }) => results.filter(gives).map(({ name }) => keyOf(gain, name)))
  return [...new Set(used)].reduce((sum, key) => sum + (gain[key] ?? 0), 0)
}

/** Whether the result of a tool gave its agent something: a recall may find nothing, and a task may have no checks. */
const substance: Readonly<Record<string, (text: string) => boolean>> = {
  memory_recall: quotesContent,
  check: countsChecks,
}

const gives = ({ name, text, isError }: ToolTurn['results'][number]) =>
  !isError && (!Object.hasOwn(substance, name) || substance[name]?.(text) === true)

function keyOf(gain: Gain, name: string): string {
  if (Object.hasOwn(gain, name)) return name
  return name.includes('__') ? 'mcp' : name
}
