import { z } from 'zod'
import type { AgentSettings } from '../agent/agent-settings.ts'
import type { Faults } from '../agent/faults.ts'
import { type Budget, Limits } from '../limits.ts'
import { Mechanism } from '../method/mechanism.ts'
import { MethodTools } from '../tool/tool-set.ts'
import { BudgetMatch } from './budget-match.ts'

/** A strategy with its options, as given by `--methods`. */
export const Method = z.object({
  /** Its name in tables: `sequential`, `sequential[maxInner=5]`, or the label before `=`. */
  label: z.string(),
  strategy: z.string(),
  /** Resolved options, with defaults. */
  options: z.record(z.string(), z.unknown()),
  /** SHA-256 of the strategy's source. */
  digest: z.string(),
  /** The file of a user's strategy; not part of ids. */
  file: z.string().optional(),
  /** Its declared roles; not part of ids, and absent in older runs. */
  roles: z.array(z.string()).optional(),
  /** Which agents it asks is what it is: see `mixes` of a strategy. Not part of ids. */
  mixes: z.literal(true).optional(),
  /** Those that a user's strategy declares; not part of ids. */
  mechanisms: z.array(Mechanism).optional(),
  /** Agents by role, which override those of the run. */
  agents: z.record(z.string(), z.string()).optional(),
  /** Limits of each of its trials, which override those of the run. */
  limits: Limits.optional(),
  /** The method whose spending it matches by its number of attempts. */
  match: BudgetMatch.optional(),
  /** The tools of its agents; absent if they have none of bench, and none was taken away. */
  tools: MethodTools.optional(),
})
export type Method = Readonly<z.infer<typeof Method>>

/** One cell of the plan: task x method x agents. Its epochs are its trials. */
export interface Cell {
  /** Ref of the task. */
  task: string
  taskDigest: string
  method: Method
  /** Agents by role; `*` stands for all others. */
  agents: Readonly<Record<string, string>>
  /** Label of the set of agents if the run has several; not part of ids. */
  agentSet?: string | undefined
  /** Further instructions that stand beside the task; absent if there are none. */
  instructions?: string | undefined
  /** Who judges the work, of a task with a rubric; absent for the others. */
  judges?: readonly string[] | undefined
  /** Settings of these agents and judges; absent if there are none. */
  agentSettings?: AgentSettings | undefined
  profile: { name: string; digest: string } | null
  limits: Limits
  /** Default limits of each ask; absent if there are none. */
  askLimits?: Budget | undefined
  /** Maximum retries of an ask; absent if there are none. */
  retries?: number | undefined
  /** Injected faults; absent if there are none. */
  faults?: Faults | undefined
  seed: number
}

/** One epoch of a cell. The id contains a hash of cell and epoch, so equal trials of two runs have the same id. */
export interface Trial {
  id: string
  cell: Cell
  /** From 1. */
  epoch: number
}
