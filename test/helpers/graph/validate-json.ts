type Schema = Readonly<Record<string, unknown>>

/** Keywords that tell people something and refuse nothing. */
const notes = ['$schema', '$id', '$defs', 'title', 'description', 'default', 'format']

/** Whether a value is valid by a JSON Schema of draft 2020-12. Throws for a keyword that it does not know, so that nothing is passed over. */
export function isValidJson(value: unknown, schema: Schema, root: Schema = schema): boolean {
  return Object.entries(schema).every(([keyword, rule]) => {
    if (notes.includes(keyword)) return true
    const check = keywords[keyword]
    if (!check) throw new Error(`the validator does not know the keyword ${keyword}`)
    return check(value, rule, {
      schema,
      isValid: (inner, by) => isValidJson(inner, by as Schema, root),
      root,
    })
  })
}

interface Around {
  schema: Schema
  root: Schema
  isValid(value: unknown, schema: unknown): boolean
}

const isMap = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const count = (rules: unknown, holds: (rule: unknown) => boolean) => (rules as unknown[]).filter(holds).length

const types: Readonly<Record<string, (value: unknown) => boolean>> = {
  object: isMap,
  array: Array.isArray,
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number',
  integer: Number.isInteger,
  boolean: (value) => typeof value === 'boolean',
}

const keywords: Readonly<Record<string, (value: unknown, rule: unknown, around: Around) => boolean>> = {
  type: (value, rule) => types[String(rule)]?.(value) ?? false,
  const: (value, rule) => value === rule,
  enum: (value, rule) => (rule as unknown[]).includes(value),
  not: (value, rule, { isValid }) => !isValid(value, rule),
  anyOf: (value, rule, { isValid }) => count(rule, (one) => isValid(value, one)) > 0,
  oneOf: (value, rule, { isValid }) => count(rule, (one) => isValid(value, one)) === 1,
  $ref: (value, rule, { isValid, root }) =>
    isValid(value, (root.$defs as Schema)[String(rule).replace('#/$defs/', '')]),
  minimum: (value, rule) => typeof value !== 'number' || value >= Number(rule),
  exclusiveMinimum: (value, rule) => typeof value !== 'number' || value > Number(rule),
  maximum: (value, rule) => typeof value !== 'number' || value <= Number(rule),
  minLength: (value, rule) => typeof value !== 'string' || [...value].length >= Number(rule),
  maxLength: (value, rule) => typeof value !== 'string' || [...value].length <= Number(rule),
  pattern: (value, rule) => typeof value !== 'string' || new RegExp(String(rule), 'u').test(value),
  minItems: (value, rule) => !Array.isArray(value) || value.length >= Number(rule),
  items: (value, rule, { isValid }) => !Array.isArray(value) || value.every((item) => isValid(item, rule)),
  required: (value, rule) => !isMap(value) || (rule as string[]).every((name) => Object.hasOwn(value, name)),
  propertyNames: (value, rule, { isValid }) =>
    !isMap(value) || Object.keys(value).every((name) => isValid(name, rule)),
  properties: (value, rule, { isValid }) =>
    !isMap(value) ||
    Object.entries(rule as Schema).every(
      ([name, by]) => !Object.hasOwn(value, name) || isValid(value[name], by),
    ),
  additionalProperties: (value, rule, { schema, isValid }) =>
    !isMap(value) ||
    Object.entries(value).every(([name, inner]) => {
      if (Object.hasOwn((schema.properties ?? {}) as Schema, name)) return true
      return rule !== false && isValid(inner, rule)
    }),
}
