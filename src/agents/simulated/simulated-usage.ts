import { normal, type Random } from '../../base/random.ts'
import type { Profile } from '../../schema/agent/profile.ts'
import type { AgentErrorReason } from '../../text/errors.ts'
import { estimateTokens } from '../../text/token-estimate.ts'
import type { AgentReply, AgentRequest, RequestTools } from '../agent.ts'
import { latestTurns } from '../conversation.ts'

/** Output tokens of one call: all of them, and those visible in the text. */
export interface OutputSize {
  total: number
  visible: number
}

/** Returns the input tokens of a request with its conversation: the role's size if the profile states one, else an estimate. */
export function inputTokens(profile: Profile, { role, prompt, system, turns, tools }: AgentRequest): number {
  const stated = profile.roles?.[role]?.input
  if (stated !== undefined) return stated
  const texts = [
    prompt,
    system ?? '',
    ...(turns ? latestTurns(turns) : []).flatMap((turn) => [turn.prompt, turn.reply]),
    ...(tools ? toolTexts(tools) : []),
  ]
  return texts.reduce((sum, text) => sum + estimateTokens(text), 0)
}

function toolTexts({ definitions, turns }: RequestTools): string[] {
  return [
    JSON.stringify(definitions),
    ...turns.flatMap(({ text, calls, results }) => [
      text,
      ...calls.map((call) => `${call.name} ${call.arguments}`),
      ...results.map((result) => result.text),
    ]),
  ]
}

/** Returns the size of a reply: the role's size if the profile states one, else drawn log-normally by kind of work. */
export function outputSize(
  profile: Profile,
  { role, work, maxOutput }: AgentRequest,
  random: Random,
): OutputSize {
  const { median, spread } = profile.output[work]
  const drawn = spread > 0 ? median * Math.exp(spread * normal(random)) : median
  const total = Math.min(
    Math.round(profile.roles?.[role]?.output ?? drawn),
    maxOutput ?? Number.POSITIVE_INFINITY,
  )
  return { total, visible: total - Math.round(total * profile.reasoningShare) }
}

/** Estimated tokens by which a contract or plan states one requirement. */
const requirementTokens = 36

/**
 * Returns the size of a contract or plan, which states each requirement of its task; for any other reply the size itself. What has a
 * shape, a size by the profile or a limit in its prompt is as short as that says.
 */
export function contractSize(
  size: OutputSize,
  { roles }: Profile,
  { role, work, schema, prompt }: AgentRequest,
  requirements = 0,
): OutputSize {
  const isFree = work === 'decide' && !schema && roles?.[role]?.output === undefined
  const more = requirements * requirementTokens - size.visible
  if (!isFree || more <= 0 || /\bat most [\d,]+ (?:lines|tokens|words)\b/.test(prompt)) return size
  return { total: size.total + more, visible: size.visible + more }
}

/**
 * Completes a reply: its text with tokens, cost and virtual time. Output tokens cover at least the text, unless the profile
 * states the role's size. A reply that exceeds the time limit becomes a timeout.
 */
export function finishReply(
  profile: Profile,
  request: AgentRequest,
  input: number,
  size: OutputSize,
  text: string,
  random: Random,
): AgentReply {
  const { latency, roles } = profile
  let shown = text
  let output = size.total
  if (roles?.[request.role]?.output === undefined) {
    const estimate = estimateTokens(text)
    const limit = request.maxOutput === undefined ? estimate : request.maxOutput - (size.total - size.visible)
    if (estimate > limit) shown = text.slice(0, Math.max(0, limit) * 4)
    output = size.total - size.visible + Math.max(size.visible, Math.min(estimate, Math.max(0, limit)))
  }
  const spread = latency.spread > 0 ? Math.exp(latency.spread * normal(random)) : 1
  const durationMs = Math.round((latency.baseMs + latency.msPerToken * output) * spread)
  const { timeoutMs } = request
  if (timeoutMs !== undefined && durationMs > timeoutMs) {
    return failedReply(profile, 'timeout', input, Math.round((output * timeoutMs) / durationMs), timeoutMs)
  }
  return {
    text: shown,
    tokens: { input, output, cached: 0 },
    costUsd: cost(profile, input, output),
    durationMs,
  }
}

const messages: Partial<Record<AgentErrorReason, string>> = {
  timeout: 'gave no reply in time',
  refusal: 'refused to answer',
  empty: 'gave an empty reply',
  'context-overflow': 'was given more than its context holds',
}

/** Draws a failure at the profile's rates; undefined if there is none. A call that never reached the model costs nothing. */
export function drawFailure(
  profile: Profile,
  request: AgentRequest,
  input: number,
  size: OutputSize,
  random: Random,
): AgentReply | undefined {
  let draw = random()
  for (const reason in profile.failures) {
    draw -= profile.failures[reason as keyof typeof profile.failures] ?? 0
    if (draw >= 0) continue
    if (reason === 'timeout')
      return failedReply(profile, reason, input, size.total, request.timeoutMs ?? 600_000)
    if (reason !== 'empty' && reason !== 'refusal') {
      return failedReply(profile, reason as AgentErrorReason, 0, 0, profile.latency.baseMs)
    }
    const output = reason === 'empty' ? size.total - size.visible : Math.min(20, size.total)
    return failedReply(
      profile,
      reason,
      input,
      output,
      Math.round(profile.latency.baseMs + profile.latency.msPerToken * output),
    )
  }
  return undefined
}

/** Returns a reply with an error and its cost. */
export function failedReply(
  profile: Profile,
  reason: AgentErrorReason,
  input: number,
  output: number,
  durationMs: number,
): AgentReply {
  return {
    text: '',
    tokens: { input, output, cached: 0 },
    costUsd: cost(profile, input, output),
    durationMs,
    error: { reason, message: `the simulated model ${messages[reason] ?? `failed: ${reason}`}` },
  }
}

/** Returns US dollars, rounded to a billionth so that sums do not depend on the last bit. */
function cost({ price }: Profile, input: number, output: number): number {
  return Math.round((input * price.input + output * price.output) * 1e3) / 1e9
}
