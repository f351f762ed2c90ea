import { z } from 'zod'
import { GraphDocument } from './document.ts'

/** Returns the JSON Schema of graph documents, for editors. */
export function graphDocumentSchema(): Record<string, unknown> {
  return {
    title: 'Graph document of bench',
    ...z.toJSONSchema(GraphDocument, {
      io: 'input',
      unrepresentable: 'any',
      // A field that must be absent, as `pattern` in a step, has no schema of its own.
      override: ({ zodSchema, jsonSchema }) => {
        if (zodSchema._zod.def.type === 'undefined') jsonSchema.not = {}
      },
    }),
  }
}
