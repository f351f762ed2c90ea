import { z } from 'zod'
import { inWords } from '../../text/issue-text.ts'
import type { TaskCondition } from '../task-condition.ts'
import { describeType } from './ask-options.ts'
import type { Mechanism } from './mechanism.ts'
import type { ModelProgram } from './model-program.ts'

const countRule = 'must be a whole number above 0, or the name of an option'
const Count = z.union([z.int().positive(countRule), z.string()], countRule)
/** A number, or the name of the option that holds it. */
export type Count = z.infer<typeof Count>

/**
 * Who is asked, and in which order: a role, which is asked once; a list, whose parts follow each other; or one of
 * - `repeat`: a part in rounds, at most `most` or exactly `times`; the loop ends after a round, or after the role `until`;
 * - `beside` with a list alone: each part of the list once, side by side, each in its own branch;
 * - `beside` with `most` or `times`: the same part at most or exactly that many times, side by side;
 * - `either`: one of several parts;
 * - `maybe`: a part, or nothing;
 * - `graph`: the steps of one `graph()`, compared by id;
 * - `machine`: states, the first of which begins, compared by the labels `state` and `visit` of the asks. It takes all asks that are
 *   left. The role `decider` may be asked after any state, and may go on from any.
 */
export type Flow<Role extends string = string> =
  | Role
  | readonly Flow<Role>[]
  | { readonly repeat: Flow<Role>; readonly most?: Count; readonly times?: Count; readonly until?: Role }
  | { readonly beside: Flow<Role>; readonly most?: Count; readonly times?: Count }
  | { readonly either: readonly Flow<Role>[] }
  | { readonly maybe: Flow<Role> }
  | { readonly graph: readonly GraphNode<Role>[] }
  | { readonly machine: readonly MachineNode<Role>[]; readonly decider?: Role }

/** A step of a declared graph. All that it asks is of one role; it may ask it several times. */
export interface GraphNode<Role extends string = string> {
  readonly id: string
  readonly role: Role
  /** Ids of the steps before it on which it depends. */
  readonly after?: readonly string[]
  /** It may add steps at run time (`expand`), whose ids begin with `prefix` and which ask one of `roles`. */
  readonly open?: true
  readonly inserts?: { readonly prefix: string; readonly roles: readonly Role[] }
}

/** A state of a declared machine. All that it asks is of its roles, of each at least once. A state without `next` is an end. */
export interface MachineNode<Role extends string = string> {
  readonly state: string
  readonly roles: readonly Role[]
  /** The states that may follow. */
  readonly next: readonly string[]
  /** It may ask nobody. */
  readonly maySkip?: true
  /** Roles that it may ask beside, as often as it likes: its agent directs others. */
  readonly mayAsk?: readonly string[]
}

/** Whether a flow is a list. */
export const isSequence = (flow: Flow): flow is readonly Flow[] => Array.isArray(flow)

/** The parts that `beside` names one by one; undefined where it counts one part instead. */
export const besideEach = ({ beside, most, times }: Extract<Flow, { beside: Flow }>) =>
  isSequence(beside) && most === undefined && times === undefined ? beside : undefined

const counted = { most: Count.optional(), times: Count.optional() }
const isCounted = ({ most, times }: { most?: Count | undefined; times?: Count | undefined }) =>
  (most === undefined) !== (times === undefined)
const once = 'must have either `most` or `times`'

const parts = () => z.array(Flow, 'must be a list of parts').min(1, 'must have at least one part')

const id = z.string('must be a text').min(1, 'must not be an empty text')
const GraphNode = z
  .strictObject({
    id,
    role: id,
    after: z.array(id, 'must be a list of ids').optional(),
    open: z.literal(true, 'must be true where it is given').optional(),
    inserts: z.strictObject({ prefix: id, roles: z.array(id, 'must be a list of roles').min(1) }).optional(),
  })
  .refine(
    ({ open, inserts }) => (open === undefined) === (inserts === undefined),
    'must have both `open` and `inserts`, or none',
  )

function checkNodes(nodes: readonly GraphNode[], context: z.RefinementCtx): void {
  const known = new Set<string>()
  for (const [place, { id, after = [] }] of nodes.entries()) {
    if (known.has(id))
      context.addIssue({ code: 'custom', path: [place], message: `is a second step "${id}"` })
    for (const need of after)
      if (!known.has(need))
        context.addIssue({
          code: 'custom',
          path: [place, 'after'],
          message: `names "${need}", which is not a step before it`,
        })
    known.add(id)
  }
}

const MachineNode = z.strictObject({
  state: id,
  roles: z.array(id, 'must be a list of roles'),
  next: z.array(id, 'must be a list of states'),
  maySkip: z.literal(true, 'must be true where it is given').optional(),
  mayAsk: z.array(id, 'must be a list of roles').optional(),
})

function checkStates(nodes: readonly MachineNode[], context: z.RefinementCtx): void {
  const states = nodes.map(({ state }) => state)
  for (const [place, { state, next }] of nodes.entries()) {
    if (states.indexOf(state) < place)
      context.addIssue({ code: 'custom', path: [place], message: `is a second state "${state}"` })
    const unknown = next.filter((one) => !states.includes(one))
    if (unknown.length > 0)
      context.addIssue({
        code: 'custom',
        path: [place, 'next'],
        message: `names "${unknown.join('", "')}", which is not a state`,
      })
  }
}

const kinds = {
  repeat: () =>
    z.strictObject({ repeat: Flow, ...counted, until: z.string().optional() }).refine(isCounted, once),
  beside: () =>
    z
      .strictObject({ beside: Flow, ...counted })
      .refine((flow) => besideEach(flow) !== undefined || isCounted(flow), `${once}, or a list alone`),
  either: () => z.strictObject({ either: parts() }),
  maybe: () => z.strictObject({ maybe: Flow }),
  graph: () =>
    z.strictObject({
      graph: z
        .array(GraphNode, 'must be a list of steps')
        .min(1, 'must have at least one step')
        .superRefine(checkNodes),
    }),
  machine: () =>
    z.strictObject({
      machine: z
        .array(MachineNode, 'must be a list of states')
        .min(1, 'must have at least one state')
        .superRefine(checkStates),
      decider: id.optional(),
    }),
}

function schemaOf(value: unknown): z.ZodType | undefined {
  if (typeof value === 'string') return z.string().min(1, 'must not be an empty text')
  if (Array.isArray(value)) return parts()
  const [kind, ...more] = Object.entries(kinds).filter(([name]) => Object.hasOwn(Object(value), name))
  return more.length > 0 ? undefined : kind?.[1]()
}

const described = (value: unknown) =>
  describeType(value) === 'an object'
    ? `{ ${Object.keys(value as object).join(', ')} }`.replace('{  }', '{}')
    : describeType(value)

/** The schema of a flow. */
// Each kind is checked by itself: a union would report a mistake in a part as one of the whole.
export const Flow: z.ZodType<Flow> = z.lazy(() =>
  z.custom<Flow>().superRefine((value, context) => {
    const schema = schemaOf(value)
    if (!schema)
      context.addIssue(
        `is not a flow; write a role, a list, or one of { repeat }, { beside }, { either }, { maybe }, { graph } and { machine }; got ${described(value)}`,
      )
    for (const { path, message } of schema?.safeParse(value, inWords).error?.issues ?? [])
      context.addIssue({ code: 'custom', path, message })
  }),
)

/**
 * A strategy's description of itself as data. The code of `run` decides what happens; each trial is checked against the
 * declaration, and its record says whether they agree.
 */
export interface Declaration<Role extends string = string> {
  flow: Flow<Role>
  /** Roles that may be asked anywhere, such as one that summarises what is too long. The check of the flow skips them. */
  onDemand?: readonly Role[]
  /** The role that chooses among the work of others, or combines it. Records say where it judged the work of its own model. */
  chooser?: Role
  /**
   * `task`: every ask is `solve()`, so it shows the agent the task alone, and each ask of a role that is asked several times has a
   * branch of its own whose name ends in its number: `attempt-2`. Only such a method can be given recorded replies.
   */
  asks?: 'task'
  /** When the method ends, in words. */
  stop: string
  /** A text that says what agents read of other agents' replies. */
  context: string
}

const describedText = (what: string, error = `must be a text that says ${what}`) =>
  z.string(error).min(1, error)

/** The schema of a declaration. */
export const Declaration: z.ZodType<Declaration> = z.strictObject({
  flow: Flow,
  onDemand: z.array(z.string()).optional(),
  chooser: z.string().optional(),
  asks: z.literal('task', 'must be `task` where it is given').optional(),
  stop: describedText('when the method ends'),
  context: describedText("what an agent reads of other agents' replies"),
})

/** Whether a trial's asks are those that its strategy declares. `at` says where they first differ. */
export const Fidelity = z.object({
  status: z.enum(['kept', 'deviates', 'undeclared']),
  at: z.string().optional(),
})
export type Fidelity = z.infer<typeof Fidelity>

/** What a strategy says of itself beside its flow. */
export interface StrategyTraits<Options = never> {
  /** The name of the option that says how many attempts the method makes; `match` may set it to match another method's spend. */
  attempts?: string
  /** The name of the option that names a document: `NAME:TEXT` after `--methods` means `NAME[option=TEXT]`. */
  document?: string
  /**
   * Says that which agents it asks is what the method is, so that with several models a pair is a comparison of mixes of agents and
   * not confounded with the model.
   */
  mixes?: true
  /**
   * Says that what each `produce` role replied is graded after the trial, as with `--grade-candidates`: by the harness, outside of the
   * strategy's sight. Tasks that judges grade are left out, since judges cost something.
   */
  gradesCandidates?: true
  /**
   * What the method does beyond one ask, such as a retry or a vote: the report says what came of the trials in which it acted. It changes nothing.
   */
  mechanisms?: readonly Mechanism[] | ((options: Options) => readonly Mechanism[])
  /**
   * Says that stages of the strategy run code that agents wrote: a live run with paid agents then needs the sandbox, whatever its
   * tasks want. A built-in strategy lists its programs, files and folders by path in the package; they are part of the method's
   * digest, so that a changed program is another method. In a strategy of your own the list is empty.
   */
  programs?: readonly string[]
  /** Says that its program asks models itself, so each role needs an agent over HTTP, and returns that program for resolved options. */
  asksModels?(options: Options): ModelProgram
  /**
   * Returns the conditions on tasks that resolved options hold, in the order in which they decide. A run is refused whose tasks do not state
   * the property of one; one that holds for none of them is noted, and one that comes after others for all of them.
   */
  conditionsOf?(options: Options): readonly TaskCondition[]
}
