import { canonicalJson } from '../../text/canonical-json.ts'
import { usableSchema } from '../arguments.ts'
import { flattenSchema } from '../schemas/flatten-schema.ts'
import type { Schema } from '../schemas/upgrade-schema.ts'

/** What a server says of a tool, or what models see of it. */
interface Description {
  description: string
  inputSchema: Schema
}

/**
 * Returns what models see of a server's tool. Vendors refuse a whole request, or send a tool without its arguments, if one schema has
 * alternatives at its top or is of another draft than 2020-12. So models get one object with all arguments, and the description says the rest.
 */
export function modelDefinition({ description, inputSchema }: Description): Description {
  const { schema } = usableSchema(inputSchema)
  const { $schema, ...rest } = inputSchema
  // A schema that all vendors take stays as it is.
  const isUsual = $schema === undefined || /draft-07|2020-12/.test(String($schema))
  const usable = isUsual && canonicalJson(rest) === canonicalJson(schema) ? inputSchema : schema
  const { schema: flat, lost } = flattenSchema(usable)
  if (lost === undefined) return { description, inputSchema: flat }
  const words = `The arguments must also match this JSON Schema: ${JSON.stringify(lost)}`
  return { description: [description, words].filter((one) => one !== '').join('\n\n'), inputSchema: flat }
}

/** Names of arguments that a vendor refuses: Anthropic takes these characters alone, in the first level. */
export const refusedArguments = ({ properties = {} }: Schema): string[] =>
  Object.keys(properties as object).filter((name) => !/^[a-zA-Z0-9_.-]{1,64}$/.test(name))
