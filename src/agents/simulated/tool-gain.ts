import type { Profile } from '../../schema/agent/profile.ts'
import type { ToolTurn } from '../agent.ts'

type Gain = NonNullable<Profile['tools']>['gain']

/** Returns the logits that the tools of these turns give: each kind or name once, where a call of it succeeded. */
export function toolGain(gain: Gain, turns: readonly ToolTurn[]): number {
  const used = turns.flatMap(({ results }) => results.filter(gives).map(({ name }) => keyOf(gain, name)))
  return [...new Set(used)].reduce((sum, key) => sum + (gain[key] ?? 0), 0)
}

/** Whether a call gave its agent something. What a recall found is quoted. */
const gives = ({ name, text, isError }: ToolTurn['results'][number]) =>
  !isError && (name !== 'memory_recall' || /^> /m.test(text))

function keyOf(gain: Gain, name: string): string {
  if (Object.hasOwn(gain, name)) return name
  return name.includes('__') ? 'mcp' : name
}
