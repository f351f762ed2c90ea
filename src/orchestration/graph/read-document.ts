import { documentVersion, GraphDocument } from '../../schema/graph/document.ts'
import type { Problem } from '../../text/errors.ts'
import { removeJsonComments } from '../../yaml/json-comments.ts'
import { type ParsedYaml, parseYaml } from '../../yaml/parse-yaml.ts'
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

/** Most bytes of a document, and of its input file. */
const maxBytes = 1_000_000

/** Most problems that are told one by one. */
const maxProblems = 100

/** Reads a document of a graph, in YAML or JSON. Returns undefined if it has mistakes, and adds all of them. */
export function readGraphDocument(
  text: string,
  file: string,
  problems: Problem[],
  around: Surroundings,
): GraphFile | undefined {
  const size = Buffer.byteLength(text)
  if (size > maxBytes) {
    problems.push({ where: file, what: `has ${size} bytes; the limit is ${maxBytes}`, fix: 'Divide it.' })
    return undefined
  }
  const withoutComments = removeJsonComments(text)
  const parsed = parseYaml(withoutComments?.text ?? text)
  if (withoutComments)
    parsed.faults.push({
      at: withoutComments.at,
      what: 'has comments as in JavaScript, which neither JSON nor YAML allows',
      fix: 'Begin each with #, or remove them.',
    })
  const where = (...path: PropertyKey[]) => {
    const field = path.map(String).join('.')
    return `${file}:${parsed.placeOf(parsed.offsetOf(path), true)}${field ? ` ${field}` : ''}`
  }
  const { document, found } = checkFields(parsed, around)
  if (document && parsed.faults.length + found.length === 0) {
    const { input, workflow } = document.run
    const inputText = typeof input === 'object' && 'file' in input ? around.read(input.file) : undefined
    const workflows = [...Object.keys(document.workflows), ...(workflow?.id ? [workflow.id] : [])]
    return { document: resolveDocument(document, inputText), workflows, where }
  }
  const all = [
    ...parsed.faults.map(({ at, ...fault }) => ({
      at,
      problem: { where: `${file}:${parsed.placeOf(at, true)}`, ...fault },
    })),
    ...found.map(({ path, ...problem }) => ({
      at: parsed.offsetOf(path),
      problem: { where: where(...path), ...problem },
    })),
  ].sort((a, b) => a.at - b.at)
  problems.push(...all.slice(0, maxProblems).map(({ problem }) => problem))
  const more = all.length - maxProblems
  if (more > 0)
    problems.push({ where: file, what: `has ${more} more ${more === 1 ? 'mistake' : 'mistakes'}` })
  return undefined
}

/** Checks what a text says: by the schema, and by what the schema cannot see. */
function checkFields(
  { faults, data, offsetOf, placeOf }: ParsedYaml,
  { read, agentProblem = () => undefined }: Surroundings,
): { document?: GraphDocument | undefined; found: FieldProblem[] } {
  const whole = (what: string) => ({
    found: [
      { path: [], what, fix: `Write version: "${documentVersion}", agents, tasks, workflows and run.` },
    ],
  })
  if (data === undefined && faults.length > 0) return { found: [] }
  if (data === undefined || data === null) return whole('is empty')
  if (typeof data !== 'object' || Array.isArray(data))
    return whole(`must be a map of fields, and is ${Array.isArray(data) ? 'a list' : 'a single value'}`)
  const { data: document, error } = GraphDocument.safeParse(data, { jitless: true })
  const bySchema = schemaProblems(error?.issues ?? [], {
    schema: GraphDocument,
    value: data,
    examples: remedies,
    ifMissing,
    synonyms: foreignWords,
    // Somebody may have written the key itself.
    secretFields: ['key_variable'],
  }).map((problem) => (problem.path[0] === 'version' ? versionProblem(data) : problem))
  const lineOf = (path: readonly PropertyKey[]) => placeOf(offsetOf(path))
  const semantic = checkDocument(data as Record<string, unknown>, { read, agentProblem, lineOf })
  // Of a field that both refuse, the second check knows the remedy.
  const known = new Set(semantic.map(({ path }) => path.join('\n')))
  return { document, found: [...bySchema.filter(({ path }) => !known.has(path.join('\n'))), ...semantic] }
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
