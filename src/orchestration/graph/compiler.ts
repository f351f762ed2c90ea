import type { Node, Slot, Step, StepSlot } from '../../schema/graph/node.ts'
import type { GraphPart, PlanRole, PlanWork } from '../../schema/graph/plan.ts'

/** Where a node stands in a workflow. */
export interface Place {
  /** The step that it waits for and reads, of each node before it. */
  needs: readonly string[]
  /** The patterns around it, outermost first. */
  parts: readonly GraphPart[]
  /** The names by which a run can place it, most specific first. */
  names: readonly string[]
}

/** A step, before its work is known in full. */
interface StepPlace extends Place {
  id: string
  does?: PlanRole
}

/** What a pattern compiles with. Each function adds steps to the plan; those for nodes return the last one. */
export interface Compiler {
  step(slot: Step | StepSlot, place: StepPlace): string
  /** Compiles a step or pattern of a slot; `joins` if it joins the branches of the pattern around it. */
  slot(slot: Slot, place: SlotPlace): string
  /** Compiles nodes one after another. */
  chain(nodes: readonly Node[], place: ChainPlace): string
  /** Returns the work of a step that is added at run time. */
  work(slot: StepSlot, names: readonly string[]): PlanWork
}

interface SlotPlace extends Place {
  /** Full id of the step that fills the slot. */
  id: string
  /** Full id of the slot; those of patterns inside begin with it. */
  scope: string
}

export interface ChainPlace extends Place {
  /** Ids of steps of the chain begin with it. */
  prefix: string
  scope: string
}

/** A pattern and where it stands. */
export interface PatternPlace extends Place {
  /** Its full id: the ids of the patterns and slots around it, joined by dots. */
  id: string
}
