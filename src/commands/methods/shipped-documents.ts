import { z } from 'zod'
import type { Strategy } from '../../strategy.ts'
import { readYaml } from '../../yaml/read-fields.ts'
import { documentsFor } from './documents.ts'

interface ShippedDocument {
  /** Its name after `--methods STRATEGY:`. */
  name: string
  file: string
  /** Its first comment, else its `description` or the name of its run; empty without any. */
  description: string
}

const Described = z.looseObject({
  description: z.string().optional(),
  name: z.string().optional(),
  run: z.looseObject({ name: z.string().optional() }).optional(),
})

/** Returns the documents that come with a built-in strategy which reads documents, sorted by name. */
export function shippedDocuments(strategy: Strategy, isBuiltIn: boolean): ShippedDocument[] {
  if (strategy.document === undefined) return []
  return Object.entries(documentsFor(strategy, isBuiltIn).shipped).flatMap(([file, text]) => {
    const [, name] = /^(.+)\.ya?ml$/.exec(file) ?? []
    return name === undefined ? [] : [{ name, file, description: describe(text, file) }]
  })
}

function describe(text: string, file: string): string {
  const [, comment] = /^#+ *(\S.*)$/m.exec(text.split('\n', 1)[0] ?? '') ?? []
  if (comment !== undefined) return comment.trim()
  const { description, name, run } = readYaml(text, file, Described, [])?.data ?? {}
  return (description ?? run?.name ?? name ?? '').trim().split('\n', 1)[0] ?? ''
}
