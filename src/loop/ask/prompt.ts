import { hash } from 'node:crypto'
import { z } from 'zod'
import type { RequestTools } from '../../agents/agent.ts'
import type { AskOptions, KindOfWork } from '../../ask.ts'
import { type Task, type TaskSpec, wantsText } from '../../schema/task.ts'

const contracts: Record<TaskSpec['output'] | 'text', string> = {
  answer: 'End your reply with one line of the form `Answer: <your answer>` and nothing after it.',
  text: 'Reply with the text alone: no words before or after it, and no fence around it.',
  function:
    'Reply with the whole function in one fenced code block. If you rewrite its file, put the line `FILE: <path>` directly before a fenced block with the whole file.',
  files:
    'For each file that you change or add, write the line `FILE: <path>` directly followed by a fenced block with the whole new content; to remove a file write `DELETE: <path>`. Files that you do not name stay as they are.',
}

/** SHA-256 of the part of the preamble that all tasks share; run.json records it. */
export const preambleHash = hash('sha256', JSON.stringify(contracts), 'hex')

/** Returns the task's text with its output contract: the same text for every producing role of every method. */
export function instructionOf({ spec, instruction }: Task): string {
  const editable = spec.editable.length > 0 ? `\nYou may change: ${spec.editable.join(', ')}` : ''
  return `# Task\n${instruction.trim()}\n\n# What to hand in\n${contracts[wantsText(spec) ? 'text' : spec.output]}${editable}\n`
}

/** The JSON Schema of a shape, as an object and as text. */
export interface Format {
  schema: Readonly<Record<string, unknown>>
  text: string
}

const formats = new WeakMap<z.ZodType, Format>()

/** Returns the format of a shape, cached by shape. */
export function formatOf(shape: z.ZodType): Format {
  let format = formats.get(shape)
  if (!format) {
    const { $schema: _, ...schema } = z.toJSONSchema(shape, { io: 'input' }) as Record<string, unknown>
    format = { schema, text: JSON.stringify(schema) }
    formats.set(shape, format)
  }
  return format
}

/** Returns the whole prompt: preamble for producing roles, prompt, texts to show, the format of the reply. */
export function composePrompt(parts: {
  work: KindOfWork
  instruction: string
  prompt: string
  show: AskOptions['show']
  format: Format | undefined
}): string {
  const { work, instruction, prompt, show, format } = parts
  let text = work === 'produce' ? `${instruction}\n${prompt}` : prompt
  for (const [name, content] of Object.entries(show ?? {}))
    if (content !== undefined && content !== '') text += `\n\n## ${name}\n${content}`
  if (format)
    text += `\n\nReply with one JSON value and nothing else. It must match this JSON Schema:\n${format.text}`
  return text
}

/** Returns the prompt that asks to repair a reply that did not parse. */
export function repairPrompt(prompt: string, reply: string, problem: string): string {
  return `${prompt}\n\nYour last reply could not be used: ${problem}\nYour last reply was:\n${reply}\n\nReply again, with the corrected JSON value alone.`
}

/** Returns the SHA-256 of everything that determines a reply, except the attempt's number. */
export function requestHash(
  agent: string,
  role: string,
  prompt: string,
  options: AskOptions | undefined,
): string {
  const { system, session, timeoutMs, maxOutput, limits, maxMessages, work } = options ?? {}
  const scope = options?.sessionScope === 'trial' ? 'trial' : undefined
  const newer = [scope, maxMessages, work].some((part) => part !== undefined)
    ? [scope, maxMessages, work]
    : []
  // The null keeps the hashes of recorded requests valid, and so does leaving out the newer options.
  const rest = options ? JSON.stringify([system, session, null, timeoutMs, maxOutput, limits, ...newer]) : ''
  return hash('sha256', `${agent}\n${role}\n${rest}\n${prompt}`, 'hex')
}

/** Returns the SHA-256 of a turn: of the request, of what may be called, and of the calls and results so far. */
export function turnHash(request: string, { definitions, turns, mustAnswer }: RequestTools): string {
  const past = turns.map(({ text, calls, results }) => [text, calls, results])
  return hash('sha256', JSON.stringify([request, definitions, past, mustAnswer]), 'hex')
}
