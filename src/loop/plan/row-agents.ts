import type { Agent, JudgedWork } from '../../agents/agent.ts'
import { injectFaults } from '../../agents/faults.ts'
import type { KindOfWork } from '../../ask.ts'
import { agentSetsOf, ofRole, rowName } from '../../schema/agent/agent-set.ts'
import type { MatchedBudget } from '../../schema/ledger/budget-match.ts'
import type { Method, Trial } from '../../schema/ledger/trial.ts'
import type { RunManifest } from '../../schema/run/run.ts'
import type { Task } from '../../schema/task.ts'
import type { Strategy } from '../../strategy.ts'
import type { SameAnswer } from '../../workflows/vote.ts'
import type { KnownStrategy } from './method-options.ts'

/** The agents that a method with one set of agents asks, by role. */
type RoleAgents = Readonly<Record<string, Agent>>

/** The agents of each row, by the row's name. */
export type RowAgents = ReadonlyMap<string, RoleAgents>

/** What is decided of a trial before it begins. */
export interface TrialPlan {
  trial: Trial
  task: Task
  /** The task's ref: its name in the run without the version that an accepted change adds. */
  taskRef: string
  strategy: Strategy
  /** The strategy's roles under the method's options. */
  roles: Readonly<Record<string, KindOfWork>>
  agents: RoleAgents
  /** The method's options, with the attempts of a matched budget. */
  options: Readonly<Record<string, unknown>>
  /** How two replies to the task are compared. */
  sameAnswer: SameAnswer
  matched?: MatchedBudget
  /** Where a judge is asked: the work that it judges. Its asks are on no method's bill. */
  judgedWork?: JudgedWork
}

/**
 * Finds the agent of every role of every row, wrapped with its injected faults. Agents that no role asks are left out. Throws if a
 * role has no agent; with `allowMissing`, such a role is left out.
 */
export function findRowAgents(
  run: Pick<RunManifest, 'agents' | 'agentSets' | 'methods' | 'faults'>,
  strategies: readonly KnownStrategy[],
  made: ReadonlyMap<string, Agent>,
  { allowMissing = false } = {},
): RowAgents {
  const { faults = {} } = run
  const rows = run.methods.flatMap((method) =>
    agentSetsOf(run).map((set) => {
      const names: Record<string, string> = { ...set.agents, ...method.agents }
      const agents = roleNames(method, strategies).flatMap((role) => {
        const agent = made.get(ofRole(names, role) ?? '')
        if (agent) return [[role, injectFaults(agent, ofRole(faults, role) ?? {})] as const]
        if (allowMissing) return []
        throw new Error(
          `[role ${role}] has no agent. Set one with --agent ${role}=PROVIDER:MODEL, or --agents for all roles.`,
        )
      })
      return [rowName(method.label, set.label), Object.fromEntries(agents)] as const
    }),
  )
  return new Map(rows)
}

/** Returns the distinct agents of a run's rows. */
export function distinctAgents(rows: RowAgents): Agent[] {
  return [...new Set([...rows.values()].flatMap(Object.values<Agent>))]
}

/** Returns the roles of a strategy under a method's options, with their kinds of work. */
export function rolesOf(
  { roles, rolesOf }: Strategy,
  options: Readonly<Record<string, unknown>>,
): Readonly<Record<string, KindOfWork>> {
  return rolesOf ? rolesOf(options) : roles
}

/** Returns the names of a method's roles; none if its strategy is unknown. */
export function roleNames({ strategy: name, options }: Method, known: readonly KnownStrategy[]): string[] {
  const found = known.find(({ strategy }) => strategy.name === name)
  return found ? Object.keys(rolesOf(found.strategy, options)) : []
}

/** Whether a method is one ask to one agent: the agent alone, with no method beside it. */
export const isSingleAskBaseline = ({ strategy, options, match }: Method): boolean =>
  strategy === 'baseline' && options.turns === 1 && options.template === undefined && match === undefined
