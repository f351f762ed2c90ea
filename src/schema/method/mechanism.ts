import { z } from 'zod'

/** The mechanisms that bench counts in every trial by itself, in the order of tables. */
export const countedMechanisms = [
  'summaries',
  'gates',
  'revisions',
  'votes',
  'escalations',
  'tools',
  'breakers',
] as const
/** One of these. */
export type CountedMechanism = (typeof countedMechanisms)[number]

const isCounted = (name: string) => (countedMechanisms as readonly string[]).includes(name)
const text = (what: string) => z.string(`must be ${what}`).min(1, `must be ${what}`)

/** In which trials a mechanism acted. */
const Acts = z.union(
  [
    z.literal(['asked-again', 'other-work']),
    z.strictObject({ state: text('a field'), is: z.union([z.string(), z.boolean()]) }),
    z.strictObject({ state: text('a field'), above: z.number() }),
  ],
  'must be `asked-again`, `other-work`, { state, is } or { state, above }',
)

/**
 * A mechanism of a strategy: what it does beyond one ask, so that reports can say what that changed. It changes nothing that runs.
 *
 * - `before` names what would have been handed in without it: the first candidate of the first of these roles or branches that has one.
 *   Empty: it acts before there is any work.
 * - `acts` says in which trials it acted: `asked-again`: the producing roles were asked more than once; `other-work`: what was handed in
 *   is not the work before; or a field of the final state, such as `vote.split`, that `is` a value, or is a number `above` one.
 */
export const Mechanism = z
  .strictObject({
    name: text('a text'),
    /** Roles or branches whose first candidate it came after. */
    before: z.array(text('a role or the name of a branch'), 'must be a list of roles or names of branches'),
    /** When it acted; absent where bench counts it. */
    acts: Acts.optional(),
  })
  .refine(({ name, acts }) => isCounted(name) || acts !== undefined, {
    path: ['acts'],
    error: `must say in which trials it acted; bench counts ${countedMechanisms.join(', ')} by itself`,
  })
export type Mechanism = z.infer<typeof Mechanism>
