import { z } from 'zod'
import { documentVersion, GraphDocument } from './document.ts'

/** Returns the JSON Schema of graph documents, with which editors complete and check them. */
export function graphJsonSchema(): Record<string, unknown> {
  const schema = z.toJSONSchema(GraphDocument, {
    io: 'input',
    target: 'draft-2020-12',
    // A step has no `pattern`: JSON Schema knows no undefined value.
    unrepresentable: 'any',
    override({ zodSchema, jsonSchema }) {
      if (zodSchema._zod.def.type === 'undefined') jsonSchema.not = {}
    },
  })
  const { $schema, ...rest } = schema
  return {
    $schema,
    $id: `orchestration-bench:graph-document:${documentVersion}`,
    title: `Graph document ${documentVersion} of orchestration-bench`,
    ...rest,
  }
}
