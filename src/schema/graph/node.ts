import { z } from 'zod'
import { Id, PatternId } from '../ids.ts'

/** What the failure of a step means. */
export const OnFailure = z.enum(['fail', 'skip', 'continue'])

/** What happens when two steps changed one file and neither depends on the other. */
export const Conflict = z.enum(['fail', 'last', 'merge'])

const needs = z.array(Id).default([]).describe('Steps or patterns that it waits for and reads.')
const conflict = Conflict.optional().describe('The policy for the files of the steps that it waits for.')

const work = {
  pattern: z.undefined().optional(),
  task: Id,
  agent: Id.optional().describe('Overrides the agent of the task.'),
  on_failure: OnFailure.optional().describe(
    'fail: no further step begins. skip: steps that need it are skipped. continue: they run. Default: fail.',
  ),
  timeout_ms: z.int().positive().optional().describe('The longest time of one attempt, in ms.'),
  retries: z.int().min(0).max(10).optional().describe('Further attempts after a failure; default 0.'),
  conflict,
}

/** A step in a list. */
export const Step = z.strictObject({ id: Id, needs, ...work })
export type Step = z.infer<typeof Step>

/** A step in a slot of a pattern. The slot names it. */
const SlotStep = z.strictObject(work)
export type SlotStep = z.infer<typeof SlotStep>

/** Either the id of a task, or a step with more to say. */
const StepSlot = z.union([Id, SlotStep])
export type StepSlot = z.infer<typeof StepSlot>

const named = { id: PatternId, needs }
const rounds = (fallback: number) => z.int().min(1).max(20).default(fallback)

// The types are written out, because patterns hold each other.
interface Named<Kind extends string> {
  id: string
  needs: string[]
  pattern: Kind
}
type Pattern =
  | (Named<'linear'> & { steps: Node[] })
  | (Named<'fork_join'> & { branches: Record<string, Node[]>; join: Slot })
  | z.infer<typeof Debate>
  | (Named<'planner_executor'> & z.infer<typeof planning> & { finish?: Slot | undefined })
  | (Named<'referee'> & { candidates: Record<string, Slot>; referee: StepSlot })
  | (Named<'hierarchical'> & z.infer<typeof leading> & { finish?: Slot | undefined })
/** A part of a workflow of one of six kinds, which becomes several steps. */
export type PatternNode = Pattern
/** An element of a list: a step or a pattern. */
export type Node = Step | Pattern
/** Part of a pattern: the id of a task, a step, or another pattern. */
export type Slot = string | SlotStep | Pattern

const Chain: z.ZodType<Node[]> = z.lazy(() => z.array(Node).min(1))
const Part: z.ZodType<Slot> = z.lazy(() => Slot)

/** Steps one after another; each reads the one before it. */
const Linear = z.strictObject({ ...named, pattern: z.literal('linear'), steps: Chain })

/** Branches side by side; each is a chain. `join` reads their last steps. */
const ForkJoin = z.strictObject({
  ...named,
  pattern: z.literal('fork_join'),
  branches: z.record(PatternId, Chain),
  join: Part,
})

/** Agents answer, read each other's answers, and answer again; `judge` reads the last round. */
const Debate = z.strictObject({
  ...named,
  pattern: z.literal('debate'),
  debaters: z.record(PatternId, StepSlot),
  rounds: rounds(2),
  judge: StepSlot,
})

const planning = z.strictObject({
  planner: StepSlot,
  executor: StepSlot,
  max_steps: z.int().min(1).max(50).default(5),
  order: z.enum(['sequential', 'concurrent']).default('sequential'),
})
/** `planner` makes a list of subtasks, and `executor` does each. `finish` reads them all. */
const PlannerExecutor = z.strictObject({
  ...named,
  pattern: z.literal('planner_executor'),
  ...planning.shape,
  finish: Part.optional(),
})

/** Candidates work side by side, and `referee` names the one whose files and answer count. */
const Referee = z.strictObject({
  ...named,
  pattern: z.literal('referee'),
  candidates: z.record(PatternId, Part),
  referee: StepSlot,
})

const leading = z.strictObject({
  boss: StepSlot,
  workers: z.record(PatternId, StepSlot),
  max_tasks: z.int().min(1).max(20).default(4).describe('Most tasks of a round.'),
  rounds: rounds(1),
})
/** `boss` gives tasks to workers, reads what they did, and gives more, for some rounds. `finish` reads it all. */
const Hierarchical = z.strictObject({
  ...named,
  pattern: z.literal('hierarchical'),
  ...leading.shape,
  finish: Part.optional(),
})

const patterns = [Linear, ForkJoin, Debate, PlannerExecutor, Referee, Hierarchical] as const

export const Node = z.discriminatedUnion('pattern', [Step, ...patterns])
export const Slot = z.union([Id, z.discriminatedUnion('pattern', [SlotStep, ...patterns])])
