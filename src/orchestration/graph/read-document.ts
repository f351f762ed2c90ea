import { documentVersion, GraphDocument } from '../../schema/graph/document.ts'
import type { Problem } from '../../text/errors.ts'
import type { ParsedYaml } from '../../yaml/parse-yaml.ts'
import { type CheckedFields, joinProblems, notAMap, readFields } from '../../yaml/read-fields.ts'
import { type FieldProblem, schemaProblems } from '../../yaml/schema-problems.ts'
import { checkDocument } from './check/check-document.ts'
import { foreignWords, ifMissing, remedies } from './document-words.ts'
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
  const read = readFields(text, file, problems, (parsed) => checkFields(parsed, around))
  if (!read) return undefined
  const { data: document, where } = read
  const { input, workflow } = document.run
  const inputText = typeof input === 'object' && 'file' in input ? around.read(input.file) : undefined
  const workflows = [...Object.keys(document.workflows), ...(workflow?.id ? [workflow.id] : [])]
  return { document: resolveDocument(document, inputText), workflows, where }
}

/** Checks what a text says: by the schema, and by what the schema cannot see. */
function checkFields(
  { faults, data, offsetOf, placeOf }: ParsedYaml,
  { read, agentProblem = () => undefined }: Surroundings,
): CheckedFields<GraphDocument> {
  if (data === undefined && faults.length > 0) return { found: [] }
  const fix = `Write version: "${documentVersion}", agents, tasks, workflows and run.`
  const isWrong = notAMap(data, fix)
  if (isWrong) return { found: [isWrong] }
  const { data: document, error } = GraphDocument.safeParse(data, { jitless: true })
  const bySchema = schemaProblems(error?.issues ?? [], {
    schema: GraphDocument,
    value: data,
    examples: remedies,
    ifMissing,
    synonyms: foreignWords,
    // Somebody may have written the key itself.
    secretFields: ['key_variable'],
  }).map((problem) => (problem.path[0] === 'version' ? versionProblem(data as object) : problem))
  const lineOf = (path: readonly PropertyKey[]) => placeOf(offsetOf(path))
  const semantic = checkDocument(data as Record<string, unknown>, { read, agentProblem, lineOf })
  return { data: document, found: joinProblems(bySchema, semantic) }
}

function versionProblem(document: object): FieldProblem {
  const { version } = document as { version?: unknown }
  return {
    path: ['version'],
    what:
      version === undefined
        ? 'is missing'
        : `is ${JSON.stringify(version)}. This release reads version ${documentVersion}`,
    fix: `Write version: "${documentVersion}".`,
  }
}
