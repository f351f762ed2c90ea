import type { z } from 'zod'
import { nameRule } from '../../schema/machine/states.ts'
import type { Documents } from '../../strategy.ts'
import { type Problem, UserError } from '../../text/errors.ts'
import { inWords } from '../../text/issue-text.ts'
import { didYouMean } from '../../text/near-word.ts'
import type { Add, Path, RawMap } from '../../yaml/raw.ts'
import { notAMap, type ReadFields, readFields } from '../../yaml/read-fields.ts'
import { type Checked, type FieldProblem, schemaProblems } from '../../yaml/schema-problems.ts'

/** What a document may refer to outside of its file. */
export interface Surroundings {
  /** Returns the text of a file, undefined if there is none. The path is as the document writes it. */
  read(path: string): string | undefined
  /** Says what is wrong with the name of an agent of bench. */
  agentProblem?(name: string): { what: string; fix?: string | undefined } | undefined
}

/** Returns the line of a field, or of its nearest parent. */
export type LineOf = (path: Path) => string

/** How documents of one kind are checked: by their schema, and by what no schema can see. */
interface Kind<Schema extends z.ZodType> extends Omit<Checked, 'value'> {
  schema: Schema
  /** What to write in a text without fields. */
  fix: string
  /** A reason to look no further. */
  refuse?(document: RawMap): FieldProblem | undefined
  /** The schema's problem as it is told; undefined if `check` reports it. */
  tell(problem: FieldProblem, document: RawMap): FieldProblem | undefined
  /** Adds what the schema cannot see. Whatever has a wrong type is passed over, and so is what depends on it. */
  check(document: RawMap, add: Add, lineOf: LineOf): void
}

/** Reads a document in YAML or JSON. Returns undefined if it has mistakes, and adds all of them. */
export function readDocument<Schema extends z.ZodType>(
  text: string,
  file: string,
  problems: Problem[],
  kind: Kind<Schema>,
): ReadFields<z.output<Schema>> | undefined {
  return readFields(text, file, problems, ({ faults, data: raw, offsetOf, placeOf }) => {
    if (raw === undefined && faults.length > 0) return { found: [] }
    const isWrong = notAMap(raw, kind.fix) ?? kind.refuse?.(raw as RawMap)
    if (isWrong) return { found: [isWrong] }
    const document = raw as RawMap
    const { data, error } = kind.schema.safeParse(document, { ...inWords, jitless: true })
    const second: FieldProblem[] = []
    const add: Add = (path, what, fix) => second.push({ path, what, ...(fix !== undefined && { fix }) })
    kind.check(document, add, (path) => placeOf(offsetOf(path)))
    // Of a field that both refuse, the second knows the remedy; what a wrong name stands for may have other mistakes.
    const known = new Set(second.map(({ path }) => path.join('\n')))
    const bySchema = schemaProblems(error?.issues ?? [], { ...kind, value: document })
      .flatMap((problem) => kind.tell(problem, document) ?? [])
      .filter(({ path, what }) => what === nameRule || !known.has(path.join('\n')))
    return { data, found: [...bySchema, ...second] }
  })
}

/** Returns the text of the file that `name` is the path of, or of the shipped document of that name. Throws `UserError`. */
export function findDocument(
  name: string,
  { read, shipped }: Documents,
  { noun, file }: { noun: string; file: string },
): { text: string; path: string; isPath: boolean } {
  const isPath = /[/\\]|\.(ya?ml|json)$/.test(name)
  const path = isPath ? name : `${name}.yaml`
  const text = isPath ? read(name) : shipped[path]
  if (text !== undefined) return { text, path, isPath }
  const names = Object.keys(shipped).flatMap((one) => /^([^/]+)\.yaml$/.exec(one)?.[1] ?? [])
  throw new UserError({
    where: `workflow ${name}`,
    what: isPath ? 'there is no such file' : `there is no such ${noun}`,
    fix: isPath ? `Give the path of a ${file}.` : unknownDocumentFix(name, names, read),
  })
}

/** Returns the remedy for a document's name that nobody knows: the file of that name, the nearest known name, or all of them. */
export const unknownDocumentFix = (
  name: string,
  known: readonly string[],
  read: Documents['read'],
): string =>
  read(name) !== undefined
    ? `Write ./${name} for the file ${name}.`
    : (didYouMean(name, known) ?? `Known: ${known.join(', ')}; name a file by its path.`)

/** Returns the path of a file that another file names: relative to that file's folder. */
export function besideFile(file: string, named: string): string {
  if (/^(?:[/\\]|[A-Za-z]:[/\\])/.test(named)) return named
  const folder = folderOf(file)
  return `${folder === '.' ? '' : folder}${named.replace(/^(?:\.[/\\])+/, '')}`
}

/** Returns the folder of a file, with `/` at its end; `.` if its path names none. */
export const folderOf = (file: string): string => /^.*[/\\]/.exec(file)?.[0] ?? '.'
