import { z } from 'zod'
import { FaultKind } from '../agent/faults.ts'
import { ChangeSet } from '../method/change.ts'
import { SandboxLevel } from '../sandbox-level.ts'
import { Tokens } from '../tokens.ts'
import { MatchedBudget } from './budget-match.ts'
import { Score } from './outcome.ts'

/**
 * A step, in steps.jsonl. `(trial, key, attempt)` names it: `key` is `branch path#counter`, the root branch's path is
 * empty. Answers to resume and replay come from here, so a step holds all that its caller saw.
 */
const Common = z.object({
  trial: z.string(),
  key: z.string(),
  attempt: z.int().positive(),
  /** Whose bill: the method's, the grading's, or nobody's row (voided by a divergence, or lost in a crash). */
  payer: z.enum(['method', 'grading', 'void']),
  /** SHA-256 of the request, compared on resume and replay. */
  hash: z.string(),
  /** Of a trial in which a simulated agent stands for some role: it describes the simulation. */
  simulated: z.boolean().optional(),
  /** The branch's clock when the step began, and how far the step moved it; ms. */
  at: z.number(),
  durationMs: z.number().nonnegative(),
  /** Set by iteration notes before it. */
  iteration: z.record(z.string(), z.union([z.number(), z.string()])).optional(),
})

/** One attempt of an ask: prompt, reply, what it changed, what it cost. */
export const AskStep = z.object({
  kind: z.literal('ask'),
  ...Common.shape,
  role: z.string(),
  work: z.enum(['produce', 'judge', 'summarise', 'decide']),
  /** What the strategy asked it for, where its kind of work does not say. */
  purpose: z.literal('vote').optional(),
  agent: z.string(),
  simulated: z.boolean(),
  prompt: z.string(),
  system: z.string().optional(),
  session: z.string().optional(),
  /** Text of the reply; absent when there was none, or when only its hash may be kept (`replyHash`). */
  reply: z.string().optional(),
  replyHash: z.string().optional(),
  changeSet: ChangeSet.optional(),
  tokens: Tokens,
  costUsd: z.number().nonnegative().nullable(),
  /** The same call at the list price of uncached input. */
  listCostUsd: z.number().nonnegative().optional(),
  /** Who says what it cost: the provider's reply, the user's price file, or the table of list prices. */
  costSource: z.enum(['provider', 'file', 'table']).optional(),
  /** The provider's own usage object, as it came, to price the call again later. */
  usage: z.record(z.string(), z.unknown()).optional(),
  /** The model that answered, where the provider names one more exactly than it was asked for. */
  model: z.string().optional(),
  /** What the agent itself said that the call cost, where that is no bill; US dollars. */
  reportedCostUsd: z.number().nonnegative().optional(),
  /** How the session went on: by the agent's own, or told again from the start. */
  continued: z.enum(['resumed', 'retold']).optional(),
  /** Waiting before the attempt (for slots, or after one that failed), outside the clock; ms. */
  waitMs: z.number().nonnegative(),
  error: z
    .object({
      reason: z.string(),
      message: z.string(),
      /** How long the provider asked to be left alone; ms. */
      retryAfterMs: z.number().nonnegative().optional(),
      /** Where code of the user's threw; its paths are this machine's. */
      stack: z.string().optional(),
    })
    .optional(),
  /** This attempt was made to go wrong on purpose. */
  fault: FaultKind.optional(),
  /** This attempt asked for a repair of a reply that did not parse. */
  repair: z.literal(true).optional(),
  /** This attempt was made because the one before it failed for a reason that may pass. */
  retry: z.literal(true).optional(),
  /** How well the agent was held, where it is a program. */
  sandbox: SandboxLevel.optional(),
  /** Result never seen: asked before a crash, or cut off. It may have been paid. */
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
  /** How well the code was held that ran; absent where none did. */
  sandbox: SandboxLevel.optional(),
})
export type CheckStep = z.infer<typeof CheckStep>

/** What the graders said of what the trial left. */
export const GradeStep = z.object({
  kind: z.literal('grade'),
  ...Common.shape,
  /** Of what a producing role had made by then: the key of its ask. Absent: of what the trial delivered. */
  of: z.string().optional(),
  scores: z.array(Score),
  /** The task's rule over the scores; null when the task has nothing to grade against. */
  passed: z.boolean().nullable(),
  /** How well the code was held that ran; absent where none did. */
  sandbox: SandboxLevel.optional(),
})
export type GradeStep = z.infer<typeof GradeStep>

/** The door refused an effect: which limit, whose, and why. */
export const LimitStep = z.object({
  kind: z.literal('limit'),
  ...Common.shape,
  scope: z.enum(['trial', 'ask']),
  limit: z.string(),
  reason: z.string(),
})
export type LimitStep = z.infer<typeof LimitStep>

/** Which branch of a `first` won; null: none succeeded. */
export const FirstStep = z.object({
  kind: z.literal('first'),
  ...Common.shape,
  winner: z.string().nullable(),
})
export type FirstStep = z.infer<typeof FirstStep>

/** What a person, or the stated policy, answered. */
export const ApprovalStep = z.object({
  kind: z.literal('approval'),
  ...Common.shape,
  question: z.string(),
  decision: z.enum(['approved', 'feedback', 'abort']),
  feedback: z.string(),
})
export type ApprovalStep = z.infer<typeof ApprovalStep>

/** The method's state at a checkpoint; with `set`, what a person put in its place while the run was stopped. */
export const StateStep = z.object({
  kind: z.literal('state'),
  ...Common.shape,
  state: z.record(z.string(), z.unknown()),
  set: z.record(z.string(), z.unknown()).optional(),
})
export type StateStep = z.infer<typeof StateStep>

/** How many attempts a trial has, to match what another method spent on its task. */
export const MatchStep = z.object({
  kind: z.literal('match'),
  ...Common.shape,
  ...MatchedBudget.shape,
})
export type MatchStep = z.infer<typeof MatchStep>

/** From here on this trial's earlier steps of these names (`key/attempt`) no longer answer; they stay in the bill. */
export const VoidStep = z.object({
  kind: z.literal('void'),
  ...Common.shape,
  keys: z.array(z.string()),
  reason: z.string(),
  /** The whole trial begins anew, since it ended in error. */
  rerun: z.literal(true).optional(),
})
export type VoidStep = z.infer<typeof VoidStep>

/** What was done, told apart by `kind`. */
export const Step = z.discriminatedUnion('kind', [
  AskStep,
  CheckStep,
  GradeStep,
  LimitStep,
  FirstStep,
  ApprovalStep,
  StateStep,
  MatchStep,
  VoidStep,
])
export type Step = z.infer<typeof Step>

/** A paid call that is about to go out: synced before it does, so that a crash cannot hide it. No step, and on no bill. */
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
