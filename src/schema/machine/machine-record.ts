import { z } from 'zod'
import { GateVerdict } from './decision.ts'
import { Checkpoint } from './machine-file.ts'

/** Tokens and cost of calls; null if some call did not report them. */
export const MachineSpending = z.object({
  calls: z.int().nonnegative(),
  input: z.number().nonnegative().nullable(),
  output: z.number().nonnegative().nullable(),
  costUsd: z.number().nonnegative().nullable(),
})
export type MachineSpending = z.infer<typeof MachineSpending>

/** The work of one agent in a visit of a state. */
export const AgentRun = z.object({
  /** `orchestrator`, or a name under `agents`. */
  agent: z.string(),
  persona: z.string().optional(),
  status: z.enum(['done', 'failed', 'timeout']),
  error: z.string().optional(),
  /** The output that it wrote, with the number of its words, its first words, and its SHA-256. */
  output: z
    .object({ path: z.string(), words: z.int().nonnegative(), preview: z.string(), sha256: z.string() })
    .optional(),
  ms: z.number().nonnegative(),
  spent: MachineSpending,
})
export type AgentRun = z.infer<typeof AgentRun>

/** One visit of a state. Times are on the trial's clock; ms. */
export const StateVisit = z.object({
  state: z.string(),
  type: z.string(),
  /** Which visit of this state it is, from 1. */
  visit: z.int().positive(),
  at: z.number().nonnegative(),
  ms: z.number().nonnegative(),
  runs: z.array(AgentRun),
  /** Logged texts, checked and written outputs of `on_enter`. */
  actions: z.array(z.object({ action: z.enum(['log', 'validate', 'generate']), text: z.string() })),
  /** The transition that was taken, such as `partial_success`; null at the end. */
  result: z.string().nullable(),
  next: z.string().nullable(),
})
export type StateVisit = z.infer<typeof StateVisit>

const Decided = z.object({
  trigger: Checkpoint,
  /** The state in which it was asked. */
  state: z.string(),
  at: z.number().nonnegative(),
  /** `invalid`: the reply was no decision, and the workflow halted. */
  decision: z.enum(['proceed', 'force_complete', 'retry_different', 'halt', 'dump_context', 'invalid']),
  reasoning: z.string(),
  guidance: z.string().optional(),
  /** The output that it chose, or the state from which to go on. */
  use_output: z.string().optional(),
  goes_to: z.string().optional(),
  /** What the ask has spent. */
  spent: MachineSpending.optional(),
})

/** What a machine did in a trial: `state.machine` of its record, and its state at a checkpoint. */
export const MachineRecord = z.object({
  name: z.string(),
  /** The file or the name that the method was given. */
  workflow: z.string(),
  digest: z.string(),
  /** SHA-256 of each persona. */
  personas: z.record(z.string(), z.string()),
  visits: z.array(StateVisit),
  breaks: z.array(
    z.object({
      rule: z.string(),
      /** A hard limit: nobody decides. */
      hard: z.boolean(),
      fact: z.string(),
      from: z.string(),
      to: z.string(),
      at: z.number().nonnegative(),
    }),
  ),
  /** Some call did not report its cost, so that no rule about cost could break from then on. */
  costUnknown: z.literal(true).optional(),
  decisions: z.array(Decided),
  gates: z.array(
    z.object({ state: z.string(), visit: z.int().positive(), agent: z.string(), ...GateVerdict.shape }),
  ),
  scores: z.array(
    z.object({
      state: z.string(),
      visit: z.int().positive(),
      auditor: z.string(),
      /** The path of the output that was scored. */
      target: z.string(),
      criterion: z.string(),
      score: z.number().min(1).max(10),
    }),
  ),
  /** Guidance for a state. `visit`: the visit that got it; null if none came. */
  guidance: z.array(
    z.object({
      state: z.string(),
      from: z.enum(['gate', 'orchestrator', 'approval', 'person']),
      text: z.string(),
      visit: z.int().positive().nullable(),
    }),
  ),
  approvals: z.array(
    z.object({
      state: z.string(),
      decision: z.enum(['approved', 'feedback', 'abort']),
      feedback: z.string(),
    }),
  ),
  /** The state in which it ended; null while it runs, or if a break or decision ended it. */
  ended: z.string().nullable(),
  /** The output that is handed in; null if nothing is. */
  delivered: z.string().nullable(),
})
export type MachineRecord = z.infer<typeof MachineRecord>
