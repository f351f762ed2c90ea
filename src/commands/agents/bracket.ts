import { withoutLabel } from '../../agents/agent.ts'
import { parseMethod } from '../../loop/plan/method-spec.ts'
import { isSingleAskBaseline, rolesOf } from '../../loop/plan/row-agents.ts'
import { shortName } from '../../reports/words/agents-text.ts'
import { ofRole } from '../../schema/agent/agent-set.ts'
import type { Method } from '../../schema/ledger/trial.ts'
import type { Bracket } from '../../schema/run/run.ts'
import type { Problem } from '../../text/errors.ts'
import { builtInStrategies } from '../methods/built-in-strategies.ts'
import type { SelectedMethods } from '../methods/select-methods.ts'
import type { SelectedAgents } from './select-agents.ts'

/** The agents of a method that asks several, in the order of its roles, each with the row in which it is asked alone. */
type Mix = Pick<Bracket, 'method' | 'agents'>

/** What `--bracket` adds to a run. */
interface BracketPlan {
  methods: Method[]
  strategies: SelectedMethods['strategies']
  mixes: Mix[]
}

/** Adds a baseline for each agent of the methods whose `produce` roles ask several agents, unless the run has it. Adds every problem. */
export function planBracket(
  { methods, agents, agentSets }: Pick<SelectedAgents, 'methods' | 'agents' | 'agentSets'>,
  strategies: SelectedMethods['strategies'],
  problems: Problem[],
): BracketPlan {
  const unchanged = { methods: [...methods], strategies: [...strategies], mixes: [] }
  if (agentSets) {
    const fix = 'Leave out one of them; --agent ROLE=AGENT gives a role its agent.'
    problems.push({
      where: '--bracket',
      what: 'conflicts with several agents after --agents, and with --instructions',
      fix,
    })
    return unchanged
  }
  const agentOf = (method: Method, role: string) => ofRole({ ...agents, ...method.agents }, role)
  const mixed = methods.flatMap((method) => {
    const found = strategies.find(({ strategy }) => strategy.name === method.strategy)
    const kinds = Object.entries(found ? rolesOf(found.strategy, method.options) : {})
    const asked = kinds.flatMap(([role, kind]) => (kind === 'produce' ? (agentOf(method, role) ?? []) : []))
    const distinct = [...new Set(asked)]
    return distinct.length > 1 ? [{ method: method.label, agents: distinct }] : []
  })
  if (mixed.length === 0) {
    const fix = 'Give the roles of a method different agents, such as --agent step-1=A --agent step-2=B.'
    problems.push({ where: '--bracket', what: 'needs a method whose roles ask different agents', fix })
    return unchanged
  }
  const known = builtInStrategies()
  const parsed = parseMethod('baseline', known)
  if ('problems' in parsed) throw new Error('the baseline is built in')
  const all = [...methods]
  const rowOf = (agent: string): string => {
    const own = all.find((method) => isSingleAskBaseline(method) && agentOf(method, 'solver') === agent)
    if (own) return own.label
    const label = freeLabel(agent, all)
    all.push({ ...parsed.method, label, roles: ['solver'], agents: { solver: agent } })
    return label
  }
  // The last role is usually the dearest, and the first baseline is what the others are compared with.
  const mixes = mixed.map(({ method, agents }) => ({
    method,
    agents: agents
      .toReversed()
      .map((agent) => ({ agent, row: rowOf(agent) }))
      .reverse(),
  }))
  const isKnown = strategies.some(({ strategy }) => strategy.name === 'baseline')
  const baseline = known.filter(({ strategy }) => strategy.name === 'baseline')
  return { methods: all, strategies: [...strategies, ...(isKnown ? [] : baseline)], mixes }
}

/** Returns a label of an agent alone: `alone-small`, `alone-gpt-5`. */
function freeLabel(agent: string, methods: readonly Method[]): string {
  const [, model = withoutLabel(agent)] = /^[^:]*:(.+?)(?:@.*)?$/.exec(withoutLabel(agent)) ?? []
  const name = shortName(agent) === agent ? model : shortName(agent)
  const label = `alone-${name.replace(/[^\w.-]+/g, '-').replace(/^-+|-+$/g, '')}`
  const isTaken = (one: string) => methods.some((method) => method.label === one)
  let free = label
  for (let count = 2; isTaken(free); count++) free = `${label}-${count}`
  return free
}

/** Returns the agents of each mix from cheap to dear: by their prices if all are known, else in the order of the roles. */
export function orderBracket(
  mixes: readonly Mix[],
  prices: readonly { agent: string; input: number | null; output: number | null }[],
): Bracket[] {
  const priceOf = (agent: string): number | null => {
    const { input = null, output = null } = prices.find((price) => price.agent === agent) ?? {}
    return input === null || output === null ? null : input + output
  }
  return mixes.map(({ method, agents }) => {
    const priced = agents.flatMap((one) => {
      const price = priceOf(one.agent)
      return price === null ? [] : [{ ...one, price }]
    })
    if (priced.length < agents.length) return { method, by: 'roles', agents }
    const sorted = priced.toSorted((a, b) => a.price - b.price)
    return { method, by: 'prices', agents: sorted.map(({ agent, row }) => ({ agent, row })) }
  })
}
