import { isObject } from '../../text/is-object.ts'
import type { AgentRequest } from '../agent.ts'

/** A schema as a provider's structured output takes it. */
export interface NativeFormat {
  schema: Readonly<Record<string, unknown>>
  /** Whether a vendor that wants every property required can hold its model to the schema. */
  isStrict: boolean
}

/**
 * Returns the format of a request whose agent uses its provider's structured output. Undefined without a schema, for an ask with tools,
 * which some vendors refuse together, and for a schema that is no object, as vendors want one at the top.
 */
export function nativeFormatOf({ structured, schema, tools }: AgentRequest): NativeFormat | undefined {
  if (!structured || !schema || tools || schema.type !== 'object') return undefined
  return { schema: closeObjects(schema) as Record<string, unknown>, isStrict: requiresAll(schema) }
}

/** How servers call the schema of a request when they refuse it. Google says JSON mode, llama.cpp grammar. */
const formatWords =
  /json[ _-]?(?:schema|mode)|response[ _]?(?:format|schema|mime)|output_(?:config|format)|text\.format|structured[ _-]?output|grammar/i

/** Whether a server's message is about the schema that was sent to its structured output. */
export const refusesFormat = (message: string): boolean => formatWords.test(message)

/** Returns the message for an agent whose server refuses the schema, with the server's own words. */
export const noFormatMessage = (agent: string, words: string): string =>
  `${agent} refuses the schema of structured output (its server says "${words}"); leave \`structured\` out for this agent`

/** Returns a schema whose objects allow no other properties than those they name: a shape drops others anyway, and vendors ask for it. */
function closeObjects(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closeObjects)
  if (!isObject(schema)) return schema
  const parts = Object.fromEntries(Object.entries(schema).map(([name, part]) => [name, closeObjects(part)]))
  const isOpen = isObject(schema.properties) && schema.additionalProperties === undefined
  return isOpen ? { ...parts, additionalProperties: false } : parts
}

function requiresAll(schema: unknown): boolean {
  if (Array.isArray(schema)) return schema.every(requiresAll)
  if (!isObject(schema)) return true
  if (schema.type === 'object') {
    const { properties, required, additionalProperties } = schema
    if (!isObject(properties) || isObject(additionalProperties)) return false
    if (Object.keys(properties).length !== (Array.isArray(required) ? required.length : 0)) return false
  }
  return Object.values(schema).every(requiresAll)
}
