import { z } from 'zod'
import { MachineRecord } from '../machine/machine-record.ts'

const ofTrial = { trial: z.string(), key: z.string() }

/** A trace event of a workflow of states in events.jsonl. */
export const MachineEvent = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('transition'),
    ...ofTrial,
    from: z.string(),
    result: z.string(),
    to: z.string(),
  }),
  MachineRecord.shape.breaks.element
    .omit({ at: true })
    .extend({ type: z.literal('circuit_break'), ...ofTrial }),
  MachineRecord.shape.decisions.element.extend({ type: z.literal('orchestrator_decision'), ...ofTrial }),
])
export type MachineEvent = z.infer<typeof MachineEvent>
