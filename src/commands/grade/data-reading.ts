import { z } from 'zod'
import type { JsonSchema } from '../../replies/data/judge-mark.ts'
import { readData } from '../../replies/data/read-data.ts'
import { UserError } from '../../text/errors.ts'
import type { GradeOptions } from './grade-flags.ts'
import { type Reading, splitThoughts } from './reading.ts'
import { readUserFile } from './text-source.ts'

/** Reads the data of a reply: the value that fits a JSON Schema. */
export function readAsData(reply: string, { schema = '' }: GradeOptions): Reading {
  const { rest, thoughts } = splitThoughts(reply)
  const wanted = schemaIn(schema)
  const read = readData(rest, wanted.shape, { schema: wanted.schema })
  return 'data' in read
    ? { as: 'data', thoughts, read: read.data, passed: true, reason: 'it fits the schema' }
    : { as: 'data', thoughts, passed: false, reason: read.problem }
}

function schemaIn(file: string): { schema: JsonSchema; shape: z.ZodType } {
  const text = readUserFile('--schema', file)
  try {
    const schema: unknown = JSON.parse(text)
    if (typeof schema !== 'object' || schema === null || Array.isArray(schema))
      throw new Error('it is no JSON object')
    return { schema: schema as JsonSchema, shape: z.fromJSONSchema(schema as JsonSchema) }
  } catch (error) {
    throw new UserError({
      where: `--schema ${file}`,
      what: `is no JSON Schema that bench can use: ${(error as Error).message}`,
      fix: 'Write a JSON Schema, such as {"type":"object","properties":{"approved":{"type":"boolean"}}}.',
    })
  }
}
