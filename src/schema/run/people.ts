import { z } from 'zod'
import { ApprovalAnswer } from '../ledger/approval.ts'
import { Guidance } from '../ledger/step.ts'

/** A text that a person reads before an answer. `blob`: the whole text, by hash in blobs/, if `text` is only its beginning. */
export const ShownText = z.object({
  path: z.string(),
  text: z.string(),
  blob: z.string().optional(),
  /** How many lines `text` leaves out. */
  moreLines: z.int().nonnegative().optional(),
})
export type ShownText = z.infer<typeof ShownText>

/** A place of a trial: the approval with this key and hash. */
const Question = z.object({ trial: z.string(), key: z.string(), hash: z.string() })
export type Question = z.infer<typeof Question>

/** A trial waits for a person's approval. */
export const WaitsLine = z.object({
  type: z.literal('waits'),
  ...Question.shape,
  at: z.string(),
  task: z.string(),
  method: z.string(),
  epoch: z.int().positive(),
  question: z.string(),
  show: z.array(ShownText),
})
export type WaitsLine = z.infer<typeof WaitsLine>

/** A person's answer. The last one that no step has taken counts. */
export const AnswerLine = z.object({
  type: z.literal('answer'),
  id: z.string(),
  ...Question.shape,
  at: z.string(),
  ...ApprovalAnswer.shape,
})
export type AnswerLine = z.infer<typeof AnswerLine>

/** What a person tells a trial about one state of its method. */
export const GuidanceLine = z.object({
  type: z.literal('guidance'),
  trial: z.string(),
  at: z.string(),
  ...Guidance.shape,
})
export type GuidanceLine = z.infer<typeof GuidanceLine>

/** One line of people.jsonl. */
export const PeopleLine = z.discriminatedUnion('type', [WaitsLine, AnswerLine, GuidanceLine])
export type PeopleLine = z.infer<typeof PeopleLine>
