import { evidenceOf, type KindFacts } from '../../analysis/evidence.ts'
import type { MethodRoutes, Route } from '../../analysis/routes.ts'
import type { Summary } from '../../analysis/summary.ts'
import { rowName } from '../../schema/agent/agent-set.ts'
import {
  type ColumnOf,
  createTable,
  dataColumn,
  labelColumn,
  type Section,
  simulatedColumn,
  textColumn,
} from '../tables/table.ts'
import { methodName } from '../tables/task-columns.ts'
import { shortName } from '../words/agents-text.ts'
import { counted, formatCount, formatPart, formatUsd, nothing, unknown } from '../words/numbers.ts'

/** A route with the row that it belongs to. */
type RouteRow = Route & { name: string; of: number }

/** Creates the section on what routers chose: how often each route answered, what it solved, and its bill. */
export function routesSection(rows: readonly MethodRoutes[], kind: KindFacts): Section {
  const routes = rows.flatMap((row): RouteRow[] => {
    const none = row.noRoute && { ...row.noRoute, role: 'no route', agent: null, fallbacks: 0 }
    const all = [...row.routes, ...(none ? [none] : [])]
    return all.map((route) => ({ ...route, name: rowName(row.method, row.set), of: row.trials }))
  })
  const hasServed = routes.some(({ served }) => served.length > 0)
  const all = [...labels, ...(hasServed ? [servedColumn] : []), simulatedColumn<RouteRow>(kind), ...columns]
  return {
    name: 'routes',
    tables: [createTable(`Routers: who answered${evidenceOf(kind).mark}`, all, routes, [])],
    notes: [...rows.flatMap(factsOf).map((text) => ({ text })), { text: definition }],
    data: rows,
  }
}

/** Warns of routers whose decider named no route, so that their `otherwise` answered. */
export const deciderWarnings = (summary: Summary): string[] =>
  summary.methods.flatMap((row) => {
    if (!row.decider) return []
    const { trials, unnamed } = row.decider
    const what = `${methodName(row, summary)}: the decider named no route in ${unnamed} of ${counted(trials, 'trial')}`
    return [`${what}, which the route for all others answered.`]
  })

function factsOf(row: MethodRoutes): string[] {
  const name = rowName(row.method, row.set)
  const agents = new Set(row.routes.map(({ agent }) => agent))
  const [only] = row.routes
  const cost = row.deciderUsd === null ? unknown : formatUsd(row.deciderUsd)
  return [
    ...(row.by === 'decider'
      ? [`${name}: the decider was asked in ${counted(row.trials, 'trial')}, and cost ${cost}.`]
      : []),
    ...(row.routes.length === 1 && only
      ? [`${name}: ${only.role} answered every trial, so this run says nothing about choosing.`]
      : []),
    ...(row.routes.length > 1 && agents.size === 1
      ? [
          `${name}: all routes ask one agent, so its choice changes nothing. Name an agent for each, such as --agent route-1=A --agent route-2=B.`,
        ]
      : []),
  ]
}

const labels: ColumnOf<RouteRow>[] = [
  labelColumn('method', 'method', ({ name }) => name),
  labelColumn('route', 'route', ({ role }) => role),
  labelColumn('agent', 'agent', ({ agent }) => (agent === null ? nothing : shortName(agent))),
]

const servedColumn = labelColumn<RouteRow>('served', 'answered by', ({ served }) => served.join(', '))

const columns: ColumnOf<RouteRow>[] = [
  textColumn('trials_text', ['answered', 'of trials'], 'route', ({ trials, of }) => formatPart(trials, of)),
  textColumn('fallbacks_text', ['not', 'chosen'], 'route', ({ fallbacks }) => formatCount(fallbacks)),
  textColumn('passed_text', ['passed', 'of graded'], 'route', ({ passed, graded }) =>
    formatPart(passed, graded),
  ),
  textColumn('cost_text', ['USD', ''], 'route', ({ costUsd }) =>
    costUsd === null ? unknown : formatUsd(costUsd),
  ),
  dataColumn('trials', 'count', ({ trials }) => trials),
  dataColumn('fallbacks', 'count', ({ fallbacks }) => fallbacks),
  dataColumn('graded', 'count', ({ graded }) => graded),
  dataColumn('passed', 'count', ({ passed }) => passed),
  dataColumn('cost_usd', 'USD', ({ costUsd }) => costUsd),
]

const definition =
  'Not chosen: trials in which the route answered because no line of the table held, or the decider named nobody. USD are those of the routes, as billed; the decider is not in them. No route: trials in which the route gave nothing, so that no record tells which it was; with the dollars of a decider. What choosing gained and lost, the bracket says.'
