import { estimateTokens } from '../../text/token-estimate.ts'
import type { Branch } from '../state/branch.ts'
import { type Attempt, turnsBefore } from './agent-request.ts'

/** Estimates the tokens of an attempt: its input, plus `maxOutput` if the ask sets it. */
export function estimateCallTokens(branch: Branch, call: Attempt): number {
  const { prompt, options } = call
  const turns = turnsBefore(branch, call).flatMap(({ prompt, reply }) => [prompt, reply])
  const texts = [prompt, options?.system ?? '', ...turns, ...toolTexts(call)]
  return texts.reduce((sum, text) => sum + estimateTokens(text), options?.maxOutput ?? 0)
}

/** The texts that the tools of an ask add to its request. */
function toolTexts({ turn }: Attempt): string[] {
  if (!turn) return []
  const { definitions, turns } = turn.tools
  return [
    JSON.stringify(definitions),
    ...turns.flatMap(({ text, calls, results }) => [
      text,
      ...calls.map((call) => call.arguments),
      ...results.map((result) => result.text),
    ]),
  ]
}
