import type { z } from 'zod'
import { describeType } from '../schema/method/ask-options.ts'
import { inWords } from '../text/issue-text.ts'
import { schemaProblems } from '../yaml/schema-problems.ts'

/** Returns what an ask gets of a line's reply; `name` names the reply. */
export function takeReply(reply: unknown, shape: z.ZodType | undefined, name: string): unknown {
  if (shape) {
    const parsed = shape.safeParse(reply, inWords)
    if (parsed.success) return parsed.data
    const wrong = schemaProblems(parsed.error.issues, { schema: shape, value: reply })
    const facts = wrong.map(
      ({ path, what }) => `${path.map(String).join('.') || 'it'} ${what.replace(/\.$/, '')}`,
    )
    throw new Error(`${name} has not the shape of the ask: ${facts.join('; ')}.`)
  }
  if (typeof reply === 'object')
    throw new Error(`${name} is ${describeType(reply)}, but the ask has no shape. Write a text.`)
  return String(reply)
}
