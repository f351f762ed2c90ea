import { type Random, seededRandom } from '../../base/random.ts'
import type { ToolCall } from '../../schema/tool/tool-call.ts'
import { estimateTokens } from '../../text/token-estimate.ts'
import type { AgentReply, RequestTools } from '../agent.ts'
import { seedOf } from './behaviour.ts'
import { finishReply } from './simulated-usage.ts'
import { type Wish, wishesOf } from './tool-wishes.ts'
import type { Call } from './work.ts'
import { wrongCall } from './wrong-call.ts'

/**
 * Returns the calls of a turn of a simulated agent; undefined where it answers. They follow from the request alone: its seed, and
 * the calls and results so far. What went wrong is tried a second time, and no more.
 */
export function toolCalls(call: Call, tools: RequestTools): ToolCall[] | undefined {
  const { profile, request } = call
  const { tools: using } = profile
  if (!using || tools.mustAnswer || request.repair) return undefined
  const turn = tools.turns.length + 1
  const random = seededRandom(`${seedOf(request, 1)}|tools ${turn}`)
  if (random() >= using.turns / (1 + using.turns)) return undefined
  const count = random() < using.parallel ? 2 + Math.floor(random() * 2) : 1
  const wishes = choose(wishesOf(call), count, random)
  const calls = wishes.map((wish, i) => {
    const { name, args } = random() < using.wrong ? wrongCall(wish, tools.definitions, random) : wish
    return { id: `call_${turn}_${i + 1}`, name, arguments: args }
  })
  return calls.length > 0 && fits(call, calls) ? calls : undefined
}

/** Chooses what to do next: earlier wishes rather than later ones, and all files of a submission together. */
function choose(wishes: readonly Wish[], count: number, random: Random): Wish[] {
  const left = [...wishes]
  const chosen: Wish[] = []
  for (let i = 0; i < count && left.length > 0; i++) {
    const ready = left.filter(({ after }) => !left.some((one) => after.includes(one.name)))
    const wish = ready[Math.floor(random() ** 2 * ready.length)]
    if (!wish) break
    const together = left.filter((one) => one === wish || (wish.name === 'write' && one.name === 'write'))
    for (const one of together) left.splice(left.indexOf(one), 1)
    chosen.push(...together)
  }
  return chosen
}

const text = 'I look before I answer.\n'

/** Whether the calls fit into the longest output; else a real model would be cut off in them. */
const fits = ({ request }: Call, calls: readonly ToolCall[]) =>
  request.maxOutput === undefined || tokensOf(calls) <= request.maxOutput / 2

const tokensOf = (calls: readonly ToolCall[]) =>
  calls.reduce((sum, one) => sum + estimateTokens(`${one.name} ${one.arguments}`), estimateTokens(text))

/** Returns the reply of a turn with calls, with its share of reasoning. */
export function toolReply(
  { profile, request, chance, input }: Call,
  toolCalls: readonly ToolCall[],
): AgentReply {
  const visible = tokensOf(toolCalls)
  const reasoning = Math.round(
    (visible * profile.reasoningShare) / Math.max(0.01, 1 - profile.reasoningShare),
  )
  const size = { total: visible + reasoning, visible }
  const reply = finishReply(profile, request, input, size, text, chance.random)
  return reply.error ? reply : { ...reply, toolCalls }
}
