import { z } from 'zod'
import { MachineFile } from './machine-file.ts'

/** Returns the JSON Schema of workflows of states, with which editors complete and check them. */
export function machineJsonSchema(): Record<string, unknown> {
  const { $schema, ...rest } = z.toJSONSchema(MachineFile, { io: 'input', target: 'draft-2020-12' })
  return {
    $schema,
    $id: 'orchestration-bench:machine',
    title: 'Workflow of states of orchestration-bench',
    ...rest,
  }
}
