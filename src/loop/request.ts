import { hash } from 'node:crypto'
import { z } from 'zod'
import type { AskOptions, KindOfWork } from '../strategy.ts'

/** JSON Schema of a shape, made once per shape. */
export interface Format {
  schema: Readonly<Record<string, unknown>>
  text: string
}

const formats = new WeakMap<z.ZodType, Format>()

/** The format of a shape, remembered. */
export function formatOf(shape: z.ZodType): Format {
  let format = formats.get(shape)
  if (!format) {
    const { $schema: _, ...schema } = z.toJSONSchema(shape, { io: 'input' }) as Record<string, unknown>
    format = { schema, text: JSON.stringify(schema) }
    formats.set(shape, format)
  }
  return format
}

/** The whole prompt: preamble for producing roles, prompt, named context, the format of the reply. */
export function composePrompt(parts: {
  work: KindOfWork
  instruction: string
  prompt: string
  context: AskOptions['context']
  format: Format | undefined
}): string {
  const { work, instruction, prompt, context, format } = parts
  let text = work === 'produce' ? instructed(instruction, prompt) : prompt
  if (context) {
    for (const name of Object.keys(context)) {
      const content = context[name]
      if (content !== undefined && content !== '') text += `\n\n## ${name}\n${content}`
    }
  }
  if (format)
    text += `\n\nReply with one JSON value and nothing else. It must match this JSON Schema:\n${format.text}`
  return text
}

let lastInstructed = { instruction: '', prompt: '', text: '\n' }

/** Epochs of a cell often ask the same thing one after the other: the very same text is quick to compare. */
function instructed(instruction: string, prompt: string): string {
  if (instruction !== lastInstructed.instruction || prompt !== lastInstructed.prompt)
    lastInstructed = { instruction, prompt, text: `${instruction}\n${prompt}` }
  return lastInstructed.text
}

/** The second prompt after a reply that did not parse. */
export function repairPrompt(prompt: string, reply: string, problem: string): string {
  return `${prompt}\n\nYour last reply could not be used: ${problem}\nYour last reply was:\n${reply}\n\nReply again, with the corrected JSON value alone.`
}

let lastRequest: Record<'agent' | 'role' | 'rest' | 'prompt' | 'hash', string> | undefined

/** SHA-256 of all that decides a reply, but for which attempt it is. */
export function requestHash(
  agent: string,
  role: string,
  prompt: string,
  options: AskOptions | undefined,
): string {
  const rest = options ? settingsText(options) : ''
  const last = lastRequest
  if (last?.prompt === prompt && last.role === role && last.agent === agent && last.rest === rest)
    return last.hash
  const text = `${agent}\n${role}\n${rest}\n${prompt}`
  lastRequest = { agent, role, rest, prompt, hash: hash('sha256', text, 'hex') }
  return lastRequest.hash
}

function settingsText({ system, session, timeoutMs, maxOutput, limits }: AskOptions): string {
  if ((system ?? session ?? timeoutMs ?? maxOutput ?? limits) === undefined) return noSettings
  // The null keeps a place, so that hashes of recorded requests still fit.
  return JSON.stringify([system, session, null, timeoutMs, maxOutput, limits])
}

const noSettings = JSON.stringify(Array(6).fill(null))

/** Data out of a reply: the whole text, a fenced block, or the outermost braces or brackets. */
export function parseReply<Reply>(
  text: string,
  shape: z.ZodType<Reply>,
): { data: Reply } | { problem: string } {
  let problem = 'it holds no JSON.'
  for (const candidate of candidates(text)) {
    let value: unknown
    try {
      value = JSON.parse(candidate)
    } catch {
      // The engine's own words differ between Node versions, and this text goes into a prompt.
      problem = 'it is not valid JSON.'
      continue
    }
    const parsed = shape.safeParse(value)
    if (parsed.success) return { data: parsed.data }
    problem = parsed.error.issues
      .slice(0, 5)
      .map((issue) => `${issue.path.join('.') || 'the value'}: ${issue.message}`)
      .join('; ')
  }
  return { problem }
}

function* candidates(text: string): Generator<string> {
  const trimmed = text.trim()
  if (trimmed === '') return
  yield trimmed
  const fenced = /```(?:json)?[ \t]*\n([\s\S]*?)\n[ \t]*```/.exec(text)?.[1]
  if (fenced !== undefined) yield fenced
  for (const [open, close] of [
    ['{', '}'],
    ['[', ']'],
  ] as const) {
    const start = text.indexOf(open)
    const end = text.lastIndexOf(close)
    if (start > 0 && end > start) yield text.slice(start, end + 1)
  }
}
