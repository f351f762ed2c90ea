import type { AskStep } from '../../schema/ledger/step.ts'
import type { ToolStep } from '../../schema/ledger/tool-step.ts'

type MapText = (text: string) => string

/** Maps the long texts of a tool call: its arguments, its result, and the note that it keeps. */
export const mapToolTexts = ({ call, result, note, ...step }: ToolStep, map: MapText): ToolStep => ({
  ...step,
  call: { ...call, arguments: map(call.arguments) },
  result: map(result),
  ...(note && { note: { ...note, text: map(note.text) } }),
})

/** Maps the long texts of a turn that asks for calls: their arguments, and the message as the provider wants it back. */
export function mapTurnTexts(step: AskStep, map: MapText): AskStep {
  const { toolCalls, message } = step
  if (!toolCalls) return step
  return {
    ...step,
    toolCalls: toolCalls.map((call) => ({ ...call, arguments: map(call.arguments) })),
    ...(message && { message: mapAll(message, map) }),
  }
}

function mapAll<Value>(value: Value, map: MapText): Value {
  if (typeof value === 'string') return map(value) as Value
  if (Array.isArray(value)) return value.map((item) => mapAll(item, map)) as Value
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, mapAll(item, map)])) as Value
}
