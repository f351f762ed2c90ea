import { z } from 'zod'

/** A number, or the name of the option that contains it. */
const Count = z.union([z.int().positive(), z.string()])
/** A number, or the name of the option that contains it. */
export type Count = z.infer<typeof Count>

/**
 * The order in which roles are asked: a role, asked once; a list, asked in sequence; or one of
 * - `repeat`: a loop of at most `most` or exactly `times` rounds, left after a round or after the role `until`;
 * - `beside`: parallel branches, at most `most` or exactly `times`;
 * - `either`: one of several flows;
 * - `maybe`: a flow that may be skipped.
 */
export type Flow<Role extends string = string> =
  | Role
  | readonly Flow<Role>[]
  | { readonly repeat: Flow<Role>; readonly most?: Count; readonly times?: Count; readonly until?: Role }
  | { readonly beside: Flow<Role>; readonly most?: Count; readonly times?: Count }
  | { readonly either: readonly Flow<Role>[] }
  | { readonly maybe: Flow<Role> }

/** Whether a flow is a list, which is asked in sequence. */
export const isSequence = (flow: Flow): flow is readonly Flow[] => Array.isArray(flow)

const counted = { most: Count.optional(), times: Count.optional() }
const isCounted = ({ most, times }: { most?: Count | undefined; times?: Count | undefined }) =>
  (most === undefined) !== (times === undefined)
const once = 'must have either `most` or `times`'

/** The schema of a flow. */
export const Flow: z.ZodType<Flow> = z.lazy(() =>
  z.union(
    [
      z.string().min(1),
      z.array(Flow).min(1),
      z.strictObject({ repeat: Flow, ...counted, until: z.string().optional() }).refine(isCounted, once),
      z.strictObject({ beside: Flow, ...counted }).refine(isCounted, once),
      z.strictObject({ either: z.array(Flow).min(1) }),
      z.strictObject({ maybe: Flow }),
    ],
    'must be a flow: a role, a list, or one of { repeat }, { beside }, { either } and { maybe }',
  ),
)

/** A strategy's declaration of itself as data. A trial's record says whether its asks match the declaration. */
export interface Declaration<Role extends string = string> {
  flow: Flow<Role>
  /** Roles that may be asked at any point, such as a summarizer for long texts. */
  onDemand?: readonly Role[]
  /** The role that chooses among the work of others, or merges it: a model may favour its own work. */
  chooser?: Role
  /** A text that says when the method ends. */
  stop: string
  /** A text that says what an agent reads of other agents' replies. */
  context: string
}

const describedText = (what: string) =>
  z.string(`must be a text that says ${what}`).min(1, `must be a text that says ${what}`)

/** The schema of a declaration. */
export const Declaration: z.ZodType<Declaration> = z.strictObject({
  flow: Flow,
  onDemand: z.array(z.string()).optional(),
  chooser: z.string().optional(),
  stop: describedText('when the method ends'),
  context: describedText("what an agent reads of other agents' replies"),
})

/** Whether a trial's asks match its strategy's declaration; `at` is the first mismatch. */
export const Fidelity = z.object({
  status: z.enum(['kept', 'deviates', 'undeclared']),
  at: z.string().optional(),
})
export type Fidelity = z.infer<typeof Fidelity>
