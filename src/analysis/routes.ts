import { ofRole } from '../schema/agent/agent-set.ts'
import type { TrialRecord } from '../schema/ledger/record.ts'
import { RouterState } from '../schema/method/router.ts'
import { createRows, type RecordSums, type RowName } from './rows.ts'
import { agentsLabel } from './summarize.ts'
import { isMissing, knownCost } from './tally.ts'

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

/** Trials whose route gave nothing, so that no record says which it was. Their dollars have those of the decider in them. */
type NoRoute = Pick<Route, 'served' | 'trials' | 'graded' | 'passed' | 'costUsd'>

/** What a router chose, over its trials. Trials in error are left out. */
export interface MethodRoutes extends RowName {
  by: RouterState['by']
  /** With those of `noRoute`. */
  trials: number
  /** US dollars of the decider; null if any is unknown, and with a table. */
  deciderUsd: number | null
  /** In the order of the roles. */
  routes: Route[]
  /** Null without such trials. */
  noRoute: NoRoute | null
}

/**
 * Returns a builder that sums up what routers chose, by method and agents, in the order of `methods`. `routers` are the methods that are
 * routers, with who chooses there: their trials count also where the record has no choice.
 */
export function createRoutes(
  methods: readonly string[],
  routers: ReadonlyMap<string, RouterState['by']> = new Map(),
): RecordSums<MethodRoutes[]> {
  const rows = createRows<MethodRoutes>((method, agents, set) => ({
    ...{ method, agents, set, by: routers.get(method) ?? 'table', trials: 0, deciderUsd: 0 },
    ...{ routes: [], noRoute: null },
  }))
  return {
    add(record) {
      const { data: state } = RouterState.safeParse(record.state?.router)
      if (!(state || routers.has(record.method)) || isMissing(record)) return
      const row = rows.of(record.method, agentsLabel(record.agents), record.agentSet ?? null)
      row.trials++
      if (!state) {
        row.noRoute ??= { served: [], trials: 0, graded: 0, passed: 0, costUsd: 0 }
        addTrial(row.noRoute, record, record.served)
        return
      }
      row.by = state.by
      row.deciderUsd = plus(row.deciderUsd, state.costUsd ?? null)
      addRouted(routeOf(row, record, state.route), record, state)
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

function addRouted(route: Route, record: TrialRecord, state: RouterState): void {
  if (state.fallback) route.fallbacks++
  const decider = state.by === 'decider' ? (state.costUsd ?? null) : 0
  const served = record.served?.filter(({ agent }) => agent === route.agent)
  addTrial(route, record, served, decider)
}

function addTrial(
  sums: NoRoute,
  record: TrialRecord,
  served: TrialRecord['served'] = [],
  deciderUsd: number | null = 0,
): void {
  sums.trials++
  if (record.passed !== null) sums.graded++
  if (record.passed) sums.passed++
  const others = plus(knownCost(record), deciderUsd === null ? null : -deciderUsd)
  sums.costUsd = plus(sums.costUsd, others)
  sums.served = [...new Set([...sums.served, ...served.map(({ model }) => model)])].sort()
}

const plus = (one: number | null, other: number | null) =>
  one === null || other === null ? null : one + other
