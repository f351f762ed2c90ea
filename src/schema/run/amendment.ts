import { z } from 'zod'
import { RunManifest } from './run.ts'

/** One thing that differs from what a run had planned, by the SHA-256 of both. */
export const Change = z.object({
  kind: z.enum(['task', 'agent', 'method']),
  /** The task's ref, the agent's name, or the method's label. */
  name: z.string(),
  /** Empty for a task that was added. */
  before: z.string(),
  /** Empty for a task that is gone. */
  after: z.string(),
  /** Of a task: its properties now that are numbers. Absent if it states none, and in older runs. */
  properties: z.record(z.string(), z.number()).optional(),
  /** Of a task: its cluster now. Absent if it states none, and in older runs. */
  cluster: z.string().optional(),
})
export type Change = z.infer<typeof Change>

/** The fields of run.json that an extension gives another value (`--extend`): old trials keep their ids. Added tasks are changes. */
const Extension = RunManifest.pick({
  ...{ epochs: true, taskSelectors: true, methods: true, agentSets: true, judges: true },
  ...{ agentDigests: true, agentSettings: true, providers: true, endpoints: true, agentVersions: true },
  prices: true,
}).partial()
export type Extension = z.infer<typeof Extension>

/** One line of amendments.jsonl: a session went on with changed tasks, agents or methods (`--accept-changes`), or with more (`--extend`). */
export const Amendment = z.object({
  at: z.string(),
  /** Number of records at that time: those before it come from the earlier plan. */
  records: z.int().min(0),
  /** Number of trials of the plan before and since. */
  planned: z.object({ before: z.int().min(0), after: z.int().min(0) }),
  changes: z.array(Change),
  extended: Extension.optional(),
})
export type Amendment = z.infer<typeof Amendment>
