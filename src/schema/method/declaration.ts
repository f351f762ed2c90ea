import { z } from 'zod'

/** A number, or the name of the option that it stands in. */
const Count = z.union([z.int().positive(), z.string()])
/** A number, or the name of the option that it stands in. */
export type Count = z.infer<typeof Count>

/**
 * Who is asked, in which order: a role, asked once; a list, one after the other; or one of
 * - `repeat`: again and again, `most` so many rounds or exactly `times`; left after a round, or after the role `until`;
 * - `beside`: side by side, each in a branch of its own, `most` so many or exactly `times`;
 * - `either`: one of several;
 * - `maybe`: or not at all.
 */
export type Flow<Role extends string = string> =
  | Role
  | readonly Flow<Role>[]
  | { readonly repeat: Flow<Role>; readonly most?: Count; readonly times?: Count; readonly until?: Role }
  | { readonly beside: Flow<Role>; readonly most?: Count; readonly times?: Count }
  | { readonly either: readonly Flow<Role>[] }
  | { readonly maybe: Flow<Role> }

/** Whether it is a list: one after the other. */
export const isSequence = (flow: Flow): flow is readonly Flow[] => Array.isArray(flow)

const counted = { most: Count.optional(), times: Count.optional() }
const isCounted = ({ most, times }: { most?: Count | undefined; times?: Count | undefined }) =>
  (most === undefined) !== (times === undefined)
const once = 'needs `most` or `times`, one of them'

/** The shape of a flow as data. */
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
    'is no flow: a role, a list, or one of { repeat }, { beside }, { either } and { maybe }',
  ),
)

/** What a strategy says of itself as data: a trial's record tells whether what ran is what was declared. */
export interface Declaration<Role extends string = string> {
  flow: Flow<Role>
  /** Roles that are asked wherever something calls for it: what is too long, say. They are in no one's way. */
  onDemand?: readonly Role[]
  /** Who chooses among what others made, or makes one thing of it: a model may favour its own. */
  chooser?: Role
  /** When it ends, in words. */
  stop: string
  /** What an agent reads of what others said, in words. */
  context: string
}

const inWords = (what: string) => z.string(`must say in words ${what}`).min(1, `must say in words ${what}`)

/** The shape of a declaration. */
export const Declaration: z.ZodType<Declaration> = z.strictObject({
  flow: Flow,
  onDemand: z.array(z.string()).optional(),
  chooser: z.string().optional(),
  stop: inWords('when it ends'),
  context: inWords('what an agent reads of what others said'),
})

/** Whether what a trial asked is what its strategy declares; `at`: where it is not. */
export const Fidelity = z.object({
  status: z.enum(['kept', 'deviates', 'undeclared']),
  at: z.string().optional(),
})
export type Fidelity = z.infer<typeof Fidelity>
