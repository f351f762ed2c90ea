import { MachineFile } from '../../../schema/machine/machine-file.ts'
import { nameRule } from '../../../schema/machine/names.ts'
import type { Problem } from '../../../text/errors.ts'
import type { ParsedYaml } from '../../../yaml/parse-yaml.ts'
import { asMap, type RawMap } from '../../../yaml/raw.ts'
import { type CheckedFields, joinProblems, notAMap } from '../../../yaml/read-fields.ts'
import { type FieldProblem, schemaProblems } from '../../../yaml/schema-problems.ts'
import { foreignWords, ifMissing, remedies } from '../machine-words.ts'
import { checkMachine } from './check-machine.ts'
import { hasTransitions } from './check-transitions.ts'
import type { Surroundings } from './surroundings.ts'

/** What a text says, with the mistakes in the personas that it names. */
interface Checked extends CheckedFields<MachineFile> {
  inPersonas: Problem[]
}

/** Most states of a machine. A trial enters 50 at most, and the time of the checks grows with the square. */
const mostStates = 200

/** Checks what a text says: by the schema, and by what the schema cannot see. */
export function checkFields(
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
