import type { Machine, Persona } from '../../schema/machine/machine.ts'
import { MachineFile } from '../../schema/machine/machine-file.ts'
import { nameRule } from '../../schema/machine/names.ts'
import { digest, sha256 } from '../../text/canonical-json.ts'
import type { Problem } from '../../text/errors.ts'
import type { ParsedYaml } from '../../yaml/parse-yaml.ts'
import { asMap, type RawMap } from '../../yaml/raw.ts'
import { type CheckedFields, joinProblems, notAMap, readFields } from '../../yaml/read-fields.ts'
import { type FieldProblem, schemaProblems } from '../../yaml/schema-problems.ts'
import { checkMachine } from './check/check-machine.ts'
import { hasTransitions } from './check/check-transitions.ts'
import type { Surroundings } from './check/surroundings.ts'
import { foreignWords, ifMissing, remedies } from './machine-words.ts'

/** A machine without mistakes, with the place of each field for later problems. */
interface MachineSource {
  machine: Machine
  /** Returns `file:line:column field` of a field, or of its nearest parent. */
  where(...path: PropertyKey[]): string
}

/** Reads a machine, in YAML or JSON, with its personas. Returns undefined if it has mistakes, and adds all of them. */
export function readMachine(
  text: string,
  file: string,
  problems: Problem[],
  around: Surroundings,
): MachineSource | undefined {
  const inPersonas: Problem[] = []
  const read = readFields(text, file, problems, (parsed) => {
    const checked = checkFields(parsed, { ...around, fileOf: (path) => besideFile(file, path) })
    inPersonas.push(...checked.inPersonas)
    return checked
  })
  problems.push(...inPersonas)
  if (!read || inPersonas.length > 0) return undefined
  return { machine: withPersonas(read.data, around), where: read.where }
}

/** Returns the path of a file that another file names: relative to that file's folder. */
export function besideFile(file: string, named: string): string {
  if (/^(?:[/\\]|[A-Za-z]:[/\\])/.test(named)) return named
  const folder = folderOf(file)
  return `${folder === '.' ? '' : folder}${named.replace(/^(?:\.[/\\])+/, '')}`
}

/** Returns the folder of a file, with `/` at its end; `.` if its path names none. */
export const folderOf = (file: string): string => /^.*[/\\]/.exec(file)?.[0] ?? '.'

function withPersonas(file: MachineFile, { read }: Surroundings): Machine {
  const personas = Object.fromEntries(
    Object.entries(file.personas).map(([name, path]): [string, Persona] => {
      const text = read(path) ?? ''
      return [name, { file: path, text, sha256: sha256(text) }]
    }),
  )
  const machine = { ...file, personas }
  return { ...machine, digest: digest(machine) }
}

/** What a text says, with the mistakes in the personas that it names. */
interface Checked extends CheckedFields<MachineFile> {
  inPersonas: Problem[]
}

/** Most states of a machine. A trial enters 50 at most, and the time of the checks grows with the square. */
const mostStates = 200

/** Checks what a text says: by the schema, and by what the schema cannot see. */
function checkFields(
  { faults, data, ...text }: ParsedYaml,
  around: Surroundings & { fileOf(path: string): string },
): Checked {
  if (data === undefined && faults.length > 0) return { found: [], inPersonas: [] }
  const isWrong = notAMap(data, 'Write name, orchestrator, agents, personas and states.')
  if (isWrong) return { found: [isWrong], inPersonas: [] }
  const raw = data as RawMap
  const count = Object.keys(asMap(raw.states) ?? {}).length
  if (count > mostStates)
    return {
      found: [
        { path: ['states'], what: `has ${count} states; the limit is ${mostStates}`, fix: 'Divide it.' },
      ],
      inPersonas: [],
    }
  const { data: machine, error } = MachineFile.safeParse(raw, { jitless: true })
  const bySchema = schemaProblems(error?.issues ?? [], {
    schema: MachineFile,
    value: raw,
    examples: remedies,
    ifMissing,
    synonyms: foreignWords,
  }).filter((problem) => !isOfTransitions(problem, raw))
  const lineOf = (path: readonly PropertyKey[]) => text.placeOf(text.offsetOf(path))
  const { found, inPersonas } = checkMachine(raw, { ...around, lineOf })
  // A state whose name is wrong may have other mistakes at the same place.
  const names = bySchema.filter(({ what }) => what === nameRule)
  const others = bySchema.filter(({ what }) => what !== nameRule)
  return { data: machine, found: [...names, ...joinProblems(others, found)], inPersonas }
}

/** Whether the check of transitions, which knows their words, reports a problem. */
function isOfTransitions({ path: [first, state, field] }: FieldProblem, machine: RawMap): boolean {
  const states = asMap(machine.states) ?? {}
  const node =
    first === 'states' && Object.hasOwn(states, String(state)) ? asMap(states[String(state)]) : undefined
  return field === 'transitions' && hasTransitions(node?.type) && asMap(node?.transitions) !== undefined
}
