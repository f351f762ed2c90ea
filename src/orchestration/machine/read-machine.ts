import type { Machine, Persona } from '../../schema/machine/machine.ts'
import type { MachineFile } from '../../schema/machine/machine-file.ts'
import { digest, sha256 } from '../../text/canonical-json.ts'
import type { Problem } from '../../text/errors.ts'
import { readFields } from '../../yaml/read-fields.ts'
import { checkFields } from './check/check-fields.ts'
import type { Surroundings } from './check/surroundings.ts'

/** A machine without mistakes, with the place of each field for later problems. */
export interface MachineSource {
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
