import { z } from 'zod'
import { MachineFile } from './machine-file.ts'

/** A persona: the file as the workflow names it, its text and its SHA-256. */
export const Persona = z.object({ file: z.string(), text: z.string(), sha256: z.string() })
export type Persona = z.infer<typeof Persona>

/** A workflow with the texts of its personas: everything that a trial needs. It stands in run.json. */
export const Machine = MachineFile.extend({
  personas: z.record(z.string(), Persona),
  /** SHA-256 of all other fields as canonical JSON. */
  digest: z.string(),
})
export type Machine = z.infer<typeof Machine>
