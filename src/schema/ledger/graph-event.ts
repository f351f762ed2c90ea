import { z } from 'zod'
import { MachineRecord } from '../machine/machine-record.ts'

const ofTrial = { trial: z.string(), key: z.string() }

/** A trace event of a workflow of states in events.jsonl. */
export const MachineEvent = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('transition'),
    ...ofTrial,
    from: z.string(),
    result: z.string(),
    to: z.string(),
  }),
  MachineRecord.shape.breaks.element
    .omit({ at: true })
    .extend({ type: z.literal('circuit_break'), ...ofTrial }),
  MachineRecord.shape.decisions.element.extend({ type: z.literal('orchestrator_decision'), ...ofTrial }),
])
export type MachineEvent = z.infer<typeof MachineEvent>

/** The version of the trace events of a graph. Fields are only ever added under one version. */
export const graphEventVersion = 1

/** `at` is a time on the trial's clock, ms. The key is `path of the graph!n`, in the order in which the scheduler wrote them. */
const Common = z.object({
  trial: z.string(),
  key: z.string(),
  version: z.literal(graphEventVersion),
  at: z.number(),
  simulated: z.boolean(),
  /** Id of the step. */
  step: z.string(),
})

const pattern = { pattern: z.string(), kind: z.string() }

const PatternStart = Common.extend({ type: z.literal('PatternStart'), ...pattern })

const PatternTurn = Common.extend({
  type: z.literal('PatternTurn'),
  ...pattern,
  turn: z.int().positive(),
})

/** A step begins that joins what others did: `joins`, in plan order. */
const PatternJoin = Common.extend({
  type: z.literal('PatternJoin'),
  ...pattern,
  joins: z.array(z.string()),
})

const SchedulerDecision = Common.extend({
  type: z.literal('SchedulerDecision'),
  /** The steps that could begin, the smallest id first: the chosen one and at most 7 more. */
  ready: z.array(z.string()).min(1),
  readyCount: z.int().positive(),
  /** How many steps run, this one included, and how many may. */
  running: z.int().positive(),
  concurrency: z.int().positive(),
  /** When its slot was free, ms on the trial's clock. */
  slotFree: z.number(),
})

/** A step begins. `after`: the steps that it waited for. */
const StepStart = Common.extend({ type: z.literal('StepStart'), after: z.array(z.string()) })

const StepEnd = Common.extend({ type: z.literal('StepEnd'), durationMs: z.number().nonnegative() })

const StepFail = Common.extend({
  type: z.literal('StepFail'),
  durationMs: z.number().nonnegative(),
  error: z.string(),
  /** What becomes of the steps behind it. `stop`: the graph ends with it. */
  reaction: z.enum(['stop', 'skip', 'continue']),
  /** The limit of the trial that refused it. */
  limit: z.string().optional(),
})

/** A step will not begin. `because`: the step that failed or was skipped before it, or that ended the graph. */
const StepSkip = Common.extend({ type: z.literal('StepSkip'), because: z.string() })

/** A step has added steps to the graph, right behind it. Those in `before` wait for them. */
const StepsAdded = Common.extend({
  type: z.literal('StepsAdded'),
  steps: z.array(z.object({ id: z.string(), after: z.array(z.string()) })),
  before: z.array(z.string()),
})

/** A trace event that the scheduler of a graph writes to events.jsonl. */
export const GraphEvent = z.discriminatedUnion('type', [
  PatternStart,
  PatternTurn,
  PatternJoin,
  SchedulerDecision,
  StepStart,
  StepEnd,
  StepFail,
  StepSkip,
  StepsAdded,
])
export type GraphEvent = z.infer<typeof GraphEvent>

/** The types of these events. */
export const graphEventTypes: ReadonlySet<string> = new Set(
  GraphEvent.options.map(({ shape }) => shape.type.value),
)

/** The events of one graph of a trial, in the order in which they were written. */
export interface GraphTrace {
  /** The branch of the graph, such as `graph` or `a/graph~2`. */
  path: string
  events: GraphEvent[]
}
