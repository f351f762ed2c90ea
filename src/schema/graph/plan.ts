import { z } from 'zod'
import { Tool } from '../tool/tool.ts'
import { Provider } from './document.ts'
import { Conflict, OnFailure } from './node.ts'

/** What came of a graph in a trial: `state.graph` of its record. */
export const GraphRecord = z.object({
  name: z.string(),
  workflow: z.string(),
  /** The digest of the plan. */
  digest: z.string(),
  /** The plan with all steps that were added at run time, in plan order. */
  steps: z.array(
    z.object({
      id: z.string(),
      needs: z.array(z.string()),
      agent: z.string(),
      /** `skipped`: it never began. */
      status: z.enum(['done', 'failed', 'skipped']),
      /** Why it failed. */
      reason: z.string().optional(),
      /** The step that added it. */
      addedBy: z.string().optional(),
      /** What the step that added it wants done. */
      part: z.string().optional(),
    }),
  ),
  /** What referees chose, by the id of their step. */
  choices: z.record(
    z.string(),
    z.object({
      winner: z.string(),
      reason: z.string(),
      /** The candidates in the order in which the referee read them. */
      order: z.array(z.string()),
    }),
  ),
})
export type GraphRecord = z.infer<typeof GraphRecord>

/** A pattern that a step is in. */
export const GraphPart = z.strictObject({
  /** Its full id: those of the patterns around it, joined by dots. */
  pattern: z.string(),
  kind: z.enum(['linear', 'fork_join', 'debate', 'planner_executor', 'referee', 'hierarchical']),
  /** The round, from 1. */
  turn: z.int().positive().optional(),
  /** Whether the step joins the branches of the pattern. */
  joins: z.literal(true).optional(),
})
export type GraphPart = z.infer<typeof GraphPart>

/** What a step asks its agent. It is all that decides a prompt, besides the results of the steps before it. */
export const PlanWork = z.strictObject({
  task: z.string(),
  agent: z.string(),
  /** The role that is asked: the agent, or `AGENT@PROVIDER` where the run places the step elsewhere. */
  role: z.string(),
  /** The document's provider; null where the run's agents answer. */
  provider: z.string().nullable(),
  /** The agent's own model, which overrides that of the provider. */
  model: z.string().optional(),
  work: z.enum(['produce', 'judge', 'summarise', 'decide']),
  prompt: z.string(),
  instructions: z.string().optional(),
  max_output: z.int().optional(),
  tools: z.array(z.string()),
  on_failure: OnFailure,
  timeout_ms: z.int().optional(),
  retries: z.int(),
  conflict: Conflict.optional(),
})
export type PlanWork = z.infer<typeof PlanWork>

/** What a step does besides its prompt: it chooses a candidate, or it adds steps at run time. */
export const PlanRole = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('choose'),
    /** The last step of each candidate, by the candidate's name. */
    candidates: z.record(z.string(), z.string()),
  }),
  z.strictObject({
    kind: z.literal('plan'),
    /** Added steps are named `PREFIX01`, `PREFIX02`, … */
    prefix: z.string(),
    max: z.int(),
    order: z.enum(['sequential', 'concurrent']),
    executor: PlanWork,
    /** Steps that wait for the added ones. */
    before: z.array(z.string()),
  }),
  z.strictObject({
    kind: z.literal('assign'),
    /** The pattern's id prefix, `p::PATTERN::`. */
    prefix: z.string(),
    round: z.int().positive(),
    rounds: z.int().positive(),
    max: z.int(),
    boss: PlanWork,
    workers: z.record(z.string(), PlanWork),
    before: z.array(z.string()),
  }),
])
export type PlanRole = z.infer<typeof PlanRole>

/** A step of a plan. */
export const PlanStep = z.strictObject({
  id: z.string(),
  /** The steps that it waits for and reads. They are before it in the plan. */
  needs: z.array(z.string()),
  ...PlanWork.shape,
  /** The patterns that it is in, outermost first. */
  parts: z.array(GraphPart),
  does: PlanRole.optional(),
})
export type PlanStep = z.infer<typeof PlanStep>

/** What a document and a workflow of it come to. The same document always gives the same plan. */
export const GraphPlan = z.strictObject({
  version: z.literal(1),
  name: z.string(),
  workflow: z.string(),
  /** SHA-256 of the resolved document and the seed, as canonical JSON. */
  digest: z.string(),
  seed: z.int(),
  max_concurrency: z.int(),
  conflict: Conflict,
  /** The providers that steps use, by id. */
  providers: z.record(z.string(), Provider),
  /** The tools that steps use, by id; absent where none uses any. */
  tools: z.record(z.string(), Tool).optional(),
  /** The text that steps read instead of the task; null: the task. */
  input: z.string().nullable(),
  /** The step whose reply is the answer; null: the last `produce` step. */
  answer: z.string().nullable(),
  /** In plan order: a step is after all that it needs. */
  steps: z.array(PlanStep),
})
export type GraphPlan = z.infer<typeof GraphPlan>
