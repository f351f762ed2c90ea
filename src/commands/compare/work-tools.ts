import type { HeldTool, WorkTools } from '../../analysis/compare/tool-difference.ts'
import type { KindOfWork } from '../../ask.ts'
import { worksOf } from '../../orchestration/graph/step-works.ts'
import { GraphPlan } from '../../schema/graph/plan.ts'
import type { Method } from '../../schema/ledger/trial.ts'
import { workspaceTools } from '../../schema/tool/tool.ts'
import type { MethodTools, ResolvedTool } from '../../schema/tool/tool-set.ts'
import { canonicalJson } from '../../text/canonical-json.ts'

interface Role {
  role: string
  work: KindOfWork
}

/** Returns the tools that agents of a method could call, by kind of work; `called` are its roles whose agents call tools. */
export function workTools(method: Method, called: readonly Role[]): WorkTools[] {
  const { tools } = method
  if (!tools) return []
  const idsOf = namedTools(method, tools)
  const sets = called.flatMap(({ role, work }) =>
    idsOf(role).map((named) => {
      const ids = new Set([...(work === 'produce' ? tools.given : []), ...named])
      return { work, set: [...ids].flatMap((id) => heldTools(id, tools.known[id], work)) }
    }),
  )
  return (['produce', 'judge', 'summarise', 'decide'] as const).flatMap((work) => {
    const own = sets.filter((one) => one.work === work).map(({ set }) => inOrder(set))
    return own.some((set) => set.length > 0) ? [{ work, sets: own }] : []
  })
}

/** Returns a function that gives the lists of tools that a role's asks name. */
function namedTools({ options }: Method, { known, given }: MethodTools): (role: string) => string[][] {
  const { data: plan } = GraphPlan.safeParse(options.plan)
  if (plan) {
    const works = plan.steps.flatMap(worksOf)
    return (role) => works.filter((work) => work.role === role).map(({ tools }) => tools)
  }
  // What a strategy of the user gives to which ask is not known before it asks.
  const others = Object.keys(known).filter((id) => !given.includes(id))
  return () => [others]
}

/** Returns tools once each: those of the workspace, then others by name. */
export function inOrder(tools: readonly HeldTool[]): HeldTool[] {
  const names: readonly string[] = workspaceTools
  const distinct = [...new Map(tools.map((tool) => [tool.key, tool])).values()]
  const others = distinct.filter(({ title, key }) => title !== key)
  return [
    ...distinct
      .filter(({ title, key }) => title === key)
      .sort((a, b) => names.indexOf(a.key) - names.indexOf(b.key)),
    ...others.sort((a, b) => (a.title < b.title ? -1 : 1)),
  ]
}

function heldTools(id: string, tool: ResolvedTool | undefined, work: KindOfWork): HeldTool[] {
  if (!tool) return []
  if (tool.kind === 'workspace')
    return tool.allow
      .filter((name) => name !== 'write' || work === 'produce')
      .map((name) => ({ title: name, key: name }))
  if (tool.kind === 'memory') {
    const { file } = tool
    return [
      { title: file ? `memory with ${file.path}` : 'memory', key: canonicalJson(['memory', file ?? null]) },
    ]
  }
  // The id is a part of the names for models, and of nothing else.
  const definitions = tool.definitions.map(({ name: _, ...definition }) => definition)
  return [{ title: id, key: canonicalJson({ ...tool, definitions }), version: tool.server.version }]
}
