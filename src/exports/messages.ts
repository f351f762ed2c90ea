import { orderSteps } from '../reports/story/story-order.ts'
import { type ExportedTrial, hasNewPrompt, toolArguments } from './exported-trial.ts'

/** A message of a transcript of Every Eval Ever. */
interface Message {
  turn_idx: number
  role: 'system' | 'user' | 'assistant' | 'tool'
  content: string | null
  tool_calls?: { id: string; name: string; arguments: Record<string, string> | null }[]
  tool_call_id?: string[]
}

/** Returns the prompts, replies and results of tools of a trial's method, in the order of its clock. `showsPrompts`: else prompts and results of tools are left out. */
export function messagesOf({ steps }: ExportedTrial, showsPrompts: boolean): Message[] {
  const messages = orderSteps(steps).flatMap(({ step }): Omit<Message, 'turn_idx'>[] => {
    if (step.kind === 'tool')
      return [{ role: 'tool', content: showsPrompts ? step.result : null, tool_call_id: [step.call.id] }]
    if (step.kind !== 'ask' || step.payer !== 'method') return []
    const calls = step.toolCalls?.map(({ id, name, arguments: given }) => ({
      ...{ id, name, arguments: argumentsOf(given) },
    }))
    const shown = showsPrompts && hasNewPrompt(step)
    return [
      ...(shown && step.system !== undefined ? [{ role: 'system' as const, content: step.system }] : []),
      ...(shown ? [{ role: 'user' as const, content: step.prompt }] : []),
      { role: 'assistant', content: step.reply ?? null, ...(calls && { tool_calls: calls }) },
    ]
  })
  return messages.map((message, turn) => ({ turn_idx: turn, ...message }))
}

/** The format takes texts alone as arguments; null: what the model wrote is no object. */
function argumentsOf(text: string): Record<string, string> | null {
  const given = toolArguments(text)
  if (!given) return null
  return Object.fromEntries(
    Object.entries(given).map(([name, one]) => [name, typeof one === 'string' ? one : JSON.stringify(one)]),
  )
}
