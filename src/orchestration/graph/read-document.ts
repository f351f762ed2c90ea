import { GraphDocument } from '../../schema/graph/document.ts'
import type { Problem } from '../../text/errors.ts'
import { parseYaml } from '../../yaml/parse-yaml.ts'
import { type FieldProblem, schemaProblems } from '../../yaml/schema-problems.ts'
import { resolveDocument } from './resolve-document.ts'

/** A document that has no mistakes. */
export interface GraphFile {
  /** With all ids, defaults and the text of the input file filled in. */
  document: GraphDocument
  /** The names of its workflows. */
  workflows: string[]
  /** Returns `file:line:column field` of a field, or of its nearest parent. */
  where(...path: PropertyKey[]): string
}

/** What a document may refer to outside of itself. */
export interface Surroundings {
  /** Returns the text of a file; undefined if there is none. */
  read(path: string): string | undefined
  /** Says what is wrong with the name of an agent of bench. */
  agentProblem?(name: string): { what: string; fix?: string | undefined } | undefined
}

/** Reads a document of a graph, in YAML or JSON. Returns undefined if it has mistakes, and adds all of them. */
export function readGraphDocument(
  text: string,
  file: string,
  problems: Problem[],
  around: Surroundings,
): GraphFile | undefined {
  const { faults, data, offsetOf, placeOf } = parseYaml(text)
  const where = (...path: PropertyKey[]) => {
    const field = path.map(String).join('.')
    return `${file}:${placeOf(offsetOf(path), true)}${field ? ` ${field}` : ''}`
  }
  const found: FieldProblem[] = []
  const { data: document, error } = GraphDocument.safeParse(data, { jitless: true })
  if (error) found.push(...schemaProblems(error.issues, { schema: GraphDocument, value: data }))
  problems.push(...faults.map(({ at, ...fault }) => ({ where: `${file}:${placeOf(at, true)}`, ...fault })))
  problems.push(...found.map(({ path, ...problem }) => ({ where: where(...path), ...problem })))
  if (!document || faults.length + found.length > 0) return undefined
  const { input } = document.run
  const inputText = typeof input === 'object' && 'file' in input ? around.read(input.file) : undefined
  return {
    document: resolveDocument(document, inputText),
    workflows: Object.keys(document.workflows),
    where,
  }
}
