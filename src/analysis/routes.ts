import { ofRole } from '../schema/agent/agent-set.ts'
import type { TrialRecord } from '../schema/ledger/record.ts'
import { RouterState } from '../schema/method/router.ts'
import { createRows, type RowName } from './rows.ts'
import { agentsLabel } from './summarize.ts'
import { isMissing } from './tally.ts'

/** The trials that one route of a router answered. */
export interface Route {
  role: string
  agent: string | null
  /** The models that answered for its agent, as servers name them. */
  served: string[]
  trials: number
  /** Of these, trials for which nothing chose it: no line of the table held, or the decider named nobody. */
  fallbacks: number
  /** Graded trials, and those that passed. */
  graded: number
  passed: number
  /** US dollars as billed, without those of the decider; null if any is unknown. */
  costUsd: number | null
}

/** What a router chose, over its trials. Trials in error are left out, and those whose route gave nothing: they have no state. */
export interface MethodRoutes extends RowName {
  by: RouterState['by']
  trials: number
  /** US dollars of the decider; null if any is unknown, and with a table. */
  deciderUsd: number | null
  /** In the order of the roles. */
  routes: Route[]
}

/** Takes records one by one. */
interface RoutesBuilder {
  add(record: TrialRecord): void
  /** Returns the rows; empty if no record is of a router. */
  result(): MethodRoutes[]
}

/** Returns a builder that sums up what routers chose, by method and agents, in the order of `methods`. */
export function createRoutes(methods: readonly string[]): RoutesBuilder {
  const rows = createRows<MethodRoutes>((method, agents, set) => ({
    ...{ method, agents, set, by: 'table', trials: 0, deciderUsd: 0, routes: [] },
  }))
  return {
    add(record) {
      if (record.state?.router === undefined || isMissing(record)) return
      const { data: state } = RouterState.safeParse(record.state.router)
      if (!state) return
      const row = rows.of(record.method, agentsLabel(record.agents), record.agentSet ?? null)
      row.by = state.by
      row.trials++
      row.deciderUsd = plus(row.deciderUsd, state.costUsd ?? null)
      addTrial(routeOf(row, record, state.route), record, state)
    },
    result: () =>
      rows.inOrderOf(methods).map((row) => ({
        ...row,
        routes: row.routes.toSorted((one, other) => (one.role < other.role ? -1 : 1)),
      })),
  }
}

function routeOf(row: MethodRoutes, { agents }: TrialRecord, role: string): Route {
  const known = row.routes.find((route) => route.role === role)
  if (known) return known
  const agent = typeof agents === 'string' ? agents : (ofRole(agents, role) ?? null)
  const route = { role, agent, served: [], trials: 0, fallbacks: 0, graded: 0, passed: 0, costUsd: 0 }
  row.routes.push(route)
  return route
}

function addTrial(route: Route, { passed, spent, served = [] }: TrialRecord, state: RouterState): void {
  route.trials++
  if (state.fallback) route.fallbacks++
  if (passed !== null) route.graded++
  if (passed) route.passed++
  const decider = state.by === 'decider' ? (state.costUsd ?? null) : 0
  route.costUsd = plus(route.costUsd, plus(spent.costUsd, decider === null ? null : -decider))
  const models = served.filter(({ agent }) => agent === route.agent).map(({ model }) => model)
  route.served = [...new Set([...route.served, ...models])].sort()
}

const plus = (one: number | null, other: number | null) =>
  one === null || other === null ? null : one + other
