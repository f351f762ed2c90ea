import type { z } from 'zod'
import type { Problem } from '../text/errors.ts'
import { parseYaml } from './parse-yaml.ts'
import { type FieldProblem, schemaProblems } from './schema-problems.ts'

/** A validated YAML file, with the position of each field for later problems. */
export interface YamlFile<Data> {
  data: Data
  /** Returns `file:line field` of a field, or of its nearest parent. */
  where(...path: PropertyKey[]): string
}

/**
 * Reads YAML text and validates it by a schema. If it has problems, adds all of them, with file, line, field and suggestions for
 * unknown names, and returns undefined. `examples` has a remedy by field. The values of `secretFields` are never quoted, since they
 * may be keys.
 */
export function readYaml<Schema extends z.ZodType>(
  text: string,
  file: string,
  schema: Schema,
  problems: Problem[],
  examples: Readonly<Record<string, string>> = {},
  secretFields: readonly string[] = [],
): YamlFile<z.infer<Schema>> | undefined {
  const { faults, data: parsed, offsetOf, placeOf } = parseYaml(text)
  if (faults.length > 0) {
    problems.push(...faults.map(({ at, ...fault }) => ({ where: `${file}:${placeOf(at)}`, ...fault })))
    return undefined
  }
  const where = (...path: PropertyKey[]) => {
    const field = path.map(String).join('.')
    return `${file}:${placeOf(offsetOf(path))}${field ? ` ${field}` : ''}`
  }
  // An empty file is read as an empty map.
  const value = parsed ?? {}
  const { data, error } = schema.safeParse(value, { jitless: true })
  if (!error) return { data, where }
  const found = schemaProblems(error.issues, { schema, value, examples, secretFields })
  const lineOf = ({ path }: FieldProblem) => Number(placeOf(offsetOf(path)))
  const inOrder = found.sort((a, b) => lineOf(a) - lineOf(b))
  problems.push(...inOrder.map(({ path, ...problem }) => ({ where: where(...path), ...problem })))
  return undefined
}
