import { z } from 'zod'
import { FaultKind } from '../agent/faults.ts'
import { ChangeSet } from '../method/change.ts'
import { SandboxLevel } from '../sandbox-level.ts'
import { Tokens } from '../tokens.ts'
import { ToolCall } from '../tool/tool-call.ts'
import { ApprovalAnswer } from './approval.ts'
import { MatchedBudget } from './budget-match.ts'
import { Score } from './outcome.ts'
import { GatewayFields, ProgramUse, StoppedBy } from './program-use.ts'
import { DeedStep, RunStep, StageStep } from './stage-step.ts'
import { Common, ToolStep } from './tool-step.ts'

/**
 * Why a reply ended. `stop`: the model was done. `length`: the output limit cut it off. `tool-call`: the model called a tool.
 * `refusal`: the model, or a filter around it, refused. `thoughts`: it gave thoughts alone, and no answer.
 */
export const Finish = z.enum(['stop', 'length', 'tool-call', 'refusal', 'thoughts'])
export type Finish = z.infer<typeof Finish>

/** One attempt of an ask: prompt, reply, changes, cost. */
export const AskStep = z.object({
  kind: z.literal('ask'),
  ...Common.shape,
  role: z.string(),
  work: z.enum(['produce', 'judge', 'summarise', 'decide']),
  /** The purpose of the ask, if its kind of work does not say it. */
  purpose: z.literal('vote').optional(),
  agent: z.string(),
  simulated: z.boolean(),
  /** Which recorded reply it is, of those to its task; its `durationMs` of 0 stands for an unknown time. Absent: it was given now. */
  sample: z.int().positive().optional(),
  prompt: z.string(),
  system: z.string().optional(),
  session: z.string().optional(),
  /** The session belongs to the trial, not to a branch. */
  sessionScope: z.literal('trial').optional(),
  /** Text of the reply; absent if there was none, or if only its hash is kept (`replyHash`). */
  reply: z.string().optional(),
  replyHash: z.string().optional(),
  /** The tool calls that the agent asks for in this turn. A turn with calls is no answer yet. */
  toolCalls: z.array(ToolCall).min(1).optional(),
  /** The message of such a turn as its provider wants it back, such as signed reasoning; opaque to bench. */
  message: z.array(z.record(z.string(), z.unknown())).optional(),
  changeSet: ChangeSet.optional(),
  tokens: Tokens,
  costUsd: z.number().nonnegative().nullable(),
  /** Cost of the same call at the list price without caching. */
  listCostUsd: z.number().nonnegative().optional(),
  /** The source of the cost: the provider's reply, the user's price file, or the table of list prices. */
  costSource: z.enum(['provider', 'file', 'table']).optional(),
  /** The provider's unchanged usage object, to price the call again later. */
  usage: z.record(z.string(), z.unknown()).optional(),
  /** The model that answered, if the provider names it more exactly than the request. */
  model: z.string().optional(),
  ...ProgramUse.shape,
  /** The limit that refused a further request of the agent program, which was then ended. */
  stoppedBy: StoppedBy.optional(),
  /** Why the reply ended; absent if the agent does not tell. */
  finish: Finish.optional(),
  /** Cost that the agent reported, which is not a bill; US dollars. */
  reportedCostUsd: z.number().nonnegative().optional(),
  /** The provider's own structured output held the reply to the schema of the ask. */
  structured: z.literal('native').optional(),
  /** How the agent session continued: by the agent's own session, or by sending the conversation again. */
  continued: z.enum(['resumed', 'retold']).optional(),
  /** Time waited before the attempt (for a slot, or after a failure), outside the clock; ms. */
  waitMs: z.number().nonnegative(),
  error: z
    .object({
      reason: z.string(),
      message: z.string(),
      /** The provider's retry-after time; ms. */
      retryAfterMs: z.number().nonnegative().optional(),
      /** Stack of an error in the user's code, with paths of this machine. */
      stack: z.string().optional(),
    })
    .optional(),
  /** The fault injected into this attempt. */
  fault: FaultKind.optional(),
  /** This attempt asked for a repair of a reply that did not parse. */
  repair: z.literal(true).optional(),
  /** This attempt is a retry after a transient failure. */
  retry: z.literal(true).optional(),
  /** The sandbox level of the agent, if it is a program. */
  sandbox: SandboxLevel.optional(),
  ...GatewayFields.shape,
  /** The result was lost in a crash or cut off. The call may have been paid. */
  maybePaid: z.literal(true).optional(),
})
export type AskStep = z.infer<typeof AskStep>

/** A run of the visible checks. */
export const CheckStep = z.object({
  kind: z.literal('check'),
  ...Common.shape,
  status: z.enum(['passed', 'failed', 'none']),
  passed: z.int(),
  total: z.int(),
  output: z.string(),
  /** The sandbox level of the code that ran; absent if none ran. */
  sandbox: SandboxLevel.optional(),
})
export type CheckStep = z.infer<typeof CheckStep>

/** The grade of a delivery. */
export const GradeStep = z.object({
  kind: z.literal('grade'),
  ...Common.shape,
  /** The key of the ask whose candidate was graded; absent for the trial's delivery. */
  of: z.string().optional(),
  scores: z.array(Score),
  /** Whether the scores satisfy the task's rule; null if the task has nothing to grade against. */
  passed: z.boolean().nullable(),
  /** The sandbox level of the code that ran; absent if none ran. */
  sandbox: SandboxLevel.optional(),
})
export type GradeStep = z.infer<typeof GradeStep>

/** An effect was refused by a limit. */
export const LimitStep = z.object({
  kind: z.literal('limit'),
  ...Common.shape,
  scope: z.enum(['trial', 'ask']),
  limit: z.string(),
  reason: z.string(),
})
export type LimitStep = z.infer<typeof LimitStep>

/** The winning branch of a `first`; null if none succeeded. */
export const FirstStep = z.object({
  kind: z.literal('first'),
  ...Common.shape,
  winner: z.string().nullable(),
})
export type FirstStep = z.infer<typeof FirstStep>

/** A step of a graph as the method gave it. */
const PlannedStep = z.object({
  id: z.string(),
  after: z.array(z.string()),
  onFailure: z.enum(['fail', 'skip', 'continue']).optional(),
  conflict: z.enum(['fail', 'last', 'merge']).optional(),
})

/** A graph begins: its steps in plan order. Those that steps add later are in events.jsonl (`StepsAdded`). */
export const GraphPlanStep = z.object({
  kind: z.literal('graph-plan'),
  ...Common.shape,
  concurrency: z.int().positive(),
  conflict: z.enum(['fail', 'last', 'merge']),
  steps: z.array(PlannedStep),
})
export type GraphPlanStep = z.infer<typeof GraphPlanStep>

/** A step of a graph that ended. Its key, `path/graph#n`, is its place in the order of completion; `at` is when it began. */
export const GraphEndStep = z.object({
  kind: z.literal('graph'),
  ...Common.shape,
  step: z.string(),
})
export type GraphEndStep = z.infer<typeof GraphEndStep>

/** The answer of a person or of the approval policy. */
export const ApprovalStep = z.object({
  kind: z.literal('approval'),
  ...Common.shape,
  question: z.string(),
  /** Paths of the texts that were shown with it. */
  shown: z.array(z.string()).optional(),
  ...ApprovalAnswer.shape,
  /** Absent: the run's policy answered. */
  by: z.enum(['person', 'file']).optional(),
  /** The line of people.jsonl that it took. */
  answer: z.string().optional(),
})
export type ApprovalStep = z.infer<typeof ApprovalStep>

/** What a person told a trial about one state of its method; `id` is the line of people.jsonl. */
export const Guidance = z.object({ id: z.string(), state: z.string(), text: z.string() })
export type Guidance = z.infer<typeof Guidance>

/**
 * The method's state at a checkpoint. `guidance` is added to its field `guidance`; then `set` replaces the fields that a person
 * set while the run was stopped.
 */
export const StateStep = z.object({
  kind: z.literal('state'),
  ...Common.shape,
  state: z.record(z.string(), z.unknown()),
  guidance: z.array(Guidance).optional(),
  set: z.record(z.string(), z.unknown()).optional(),
})
export type StateStep = z.infer<typeof StateStep>

/** The number of attempts by which a trial matches another method's spending on its task. */
export const MatchStep = z.object({
  kind: z.literal('match'),
  ...Common.shape,
  ...MatchedBudget.shape,
})
export type MatchStep = z.infer<typeof MatchStep>

/** Voids earlier steps of the trial (`key/attempt`): they are no longer used for answers, but stay in the bill. */
export const VoidStep = z.object({
  kind: z.literal('void'),
  ...Common.shape,
  keys: z.array(z.string()),
  reason: z.string(),
  /** The whole trial starts again, since it ended in error. */
  rerun: z.literal(true).optional(),
})
export type VoidStep = z.infer<typeof VoidStep>

/** A step, discriminated by `kind`. */
export const Step = z.discriminatedUnion('kind', [
  AskStep,
  CheckStep,
  GradeStep,
  LimitStep,
  FirstStep,
  GraphPlanStep,
  GraphEndStep,
  StageStep,
  RunStep,
  DeedStep,
  ToolStep,
  ApprovalStep,
  StateStep,
  MatchStep,
  VoidStep,
])
export type Step = z.infer<typeof Step>

/** A paid call that is about to be sent. It is synced before the call, so that a crash cannot hide it. It is not a step and not billed. */
export const Intent = z.object({
  kind: z.literal('intent'),
  trial: z.string(),
  key: z.string(),
  attempt: z.int().positive(),
  agent: z.string(),
  hash: z.string(),
})
export type Intent = z.infer<typeof Intent>

/** One line of steps.jsonl. */
export const LedgerLine = z.discriminatedUnion('kind', [...Step.options, Intent])
export type LedgerLine = z.infer<typeof LedgerLine>
