import { MachineFile } from '../../../schema/machine/machine-file.ts'
import type { ParsedYaml } from '../../../yaml/parse-yaml.ts'
import type { RawMap } from '../../../yaml/raw.ts'
import { type CheckedFields, joinProblems, notAMap } from '../../../yaml/read-fields.ts'
import { schemaProblems } from '../../../yaml/schema-problems.ts'
import { foreignWords, remedies } from '../machine-words.ts'
import { checkMachine } from './check-machine.ts'
import type { Surroundings } from './surroundings.ts'

/** Checks what a text says: by the schema, and by what the schema cannot see. */
export function checkFields(
  { faults, data, ...text }: ParsedYaml,
  around: Surroundings,
): CheckedFields<MachineFile> {
  if (data === undefined && faults.length > 0) return { found: [] }
  const isWrong = notAMap(data, 'Write name, orchestrator, agents, personas and states.')
  if (isWrong) return { found: [isWrong] }
  const { data: machine, error } = MachineFile.safeParse(data, { jitless: true })
  const bySchema = schemaProblems(error?.issues ?? [], {
    schema: MachineFile,
    value: data,
    examples: remedies,
    synonyms: foreignWords,
  })
  const lineOf = (path: readonly PropertyKey[]) => text.placeOf(text.offsetOf(path))
  return { data: machine, found: joinProblems(bySchema, checkMachine(data as RawMap, { ...around, lineOf })) }
}
