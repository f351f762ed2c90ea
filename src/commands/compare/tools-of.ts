import { strategies as builtIn } from '../../../strategies/index.ts'
import { withoutLabel } from '../../agents/agent.ts'
import { agentTools } from '../../agents/registry.ts'
import type { AgentsAsMethod } from '../../analysis/compare/mixes.ts'
import type { Assignment, HeldTool, Tools, WorkTools } from '../../analysis/compare/tools.ts'
import type { KindOfWork } from '../../ask.ts'
import { isSingleAskBaseline, rolesOf } from '../../loop/plan/row-agents.ts'
import { present } from '../../reports/words/numbers.ts'
import { agentSetsOf, ofRole, rowName } from '../../schema/agent/agent-set.ts'
import { GraphPlan } from '../../schema/graph/plan.ts'
import type { Method } from '../../schema/ledger/trial.ts'
import type { RunManifest } from '../../schema/run/run.ts'
import { workspaceTools } from '../../schema/tool/tool.ts'
import type { MethodTools, ResolvedTool } from '../../schema/tool/tool-set.ts'
import { canonicalJson } from '../../text/canonical-json.ts'
import { shorten } from '../../text/shorten.ts'
import { worksOf } from '../../workflows/graph/plan-roles.ts'

/** Returns the model of each role, for each method and set of agents, by the row's name in tables. */
export function assignmentsOf(manifest: RunManifest): Record<string, Assignment> {
  const modelOf = (name: string) => {
    // The same model under another name or key is still the same model.
    const { keyVariable: _, family: __, ...setting } = manifest.agentSettings?.[name] ?? {}
    const set = Object.keys(setting).length > 0 ? ` ${JSON.stringify(setting)}` : ''
    return `${withoutLabel(name)}${set}`
  }
  const entries = manifest.methods.flatMap(({ label, roles, agents: own }) =>
    agentSetsOf(manifest).map((set): [string, Assignment] => {
      const names: Record<string, string> = { ...set.agents, ...own }
      const asked = (roles ?? Object.keys(names)).map((role) => [role, modelOf(ofRole(names, role) ?? '')])
      return [rowName(label, set.label), Object.fromEntries(asked)]
    }),
  )
  return Object.fromEntries(entries)
}

/** Returns the rows whose agents are their method, by the row's name in tables. */
export function agentsAsMethod(manifest: RunManifest): Record<string, AgentsAsMethod> {
  const entries = manifest.methods.flatMap((method) => {
    const kind = method.mixes
      ? ('mix' as const)
      : isSingleAskBaseline(method)
        ? ('alone' as const)
        : undefined
    return kind ? agentSetsOf(manifest).map((set) => [rowName(method.label, set.label), kind] as const) : []
  })
  return Object.fromEntries(entries)
}

/** Returns what the agents of each row could call or use, by the row's name in tables. */
export function toolsOf(manifest: RunManifest): Record<string, Tools> {
  const assignments = assignmentsOf(manifest)
  const rows = manifest.methods.flatMap((method) =>
    agentSetsOf(manifest).map((set): [string, Tools] => {
      const row = rowName(method.label, set.label)
      const names: Record<string, string> = { ...set.agents, ...method.agents }
      const { called, own } = askedAgents(method, names)
      const works = workTools(method, called)
      const programs = distinctPrograms(own.flatMap((name) => programsOf(manifest, name)))
      const tools = [
        ...inOrder(works.flatMap(({ sets }) => sets.flat())).map(({ title }) => title),
        ...new Set(programs.map(({ title }) => title)),
      ]
      const { strategy, options, digest, match, limits } = method
      const words = set.instructions?.text ?? null
      return [
        row,
        {
          names: tools,
          works,
          programs,
          method: canonicalJson([strategy, options, digest, match, limits, assignments[row], words]),
        },
      ]
    }),
  )
  return Object.fromEntries(rows)
}

/** Divides the roles of a method by how their agents use tools. */
function askedAgents(method: Method, names: Readonly<Record<string, string>>) {
  const kinds = kindsOfWork(method)
  const roles = method.roles ?? Object.keys(names)
  const asked = roles.flatMap((role) => {
    const name = ofRole(names, role)
    return name === undefined
      ? []
      : [{ role, name, work: kinds?.[role] ?? 'produce', tools: agentTools(name) }]
  })
  return {
    called: asked.filter(({ tools }) => tools === 'called'),
    own: asked.filter(({ tools }) => tools === 'own').map(({ name }) => name),
  }
}

/** Returns the roles of a built-in strategy with their kinds of work; undefined for one of the user, which is not loaded to read a run. */
function kindsOfWork({
  strategy: name,
  file,
  options,
  tools,
}: Method): Readonly<Record<string, KindOfWork>> | undefined {
  // A run without tools needs no strategy here.
  const strategy = file === undefined && tools ? builtIn.find((one) => one.name === name) : undefined
  return strategy && rolesOf(strategy, options)
}

/**
 * Returns the own tools of the program of an agent: that of its provider, or for one of the config file those of its whole command; and
 * those that its provider runs, if the run lets it use them.
 */
function programsOf({ agentSettings = {}, allowProviderTools }: RunManifest, name: string): HeldTool[] {
  const [provider = name] = withoutLabel(name).split(':')
  const command = agentSettings[name]?.program?.command
  const title = command ? shortCommand(command) : provider
  const words = command ?? [provider]
  return present([
    { title: `own tools of ${title}`, key: canonicalJson(['program', ...words]) },
    allowProviderTools && {
      title: `tools that the provider of ${title} runs`,
      key: canonicalJson(['provider', ...words]),
    },
  ])
}

/** Returns the first words of a command that are no options and nothing that bench fills in: `npx agent-one`. */
function shortCommand([program = '', ...args]: readonly string[]): string {
  const words = args.filter((word) => !word.startsWith('-') && !word.includes('{'))
  return shorten([program, ...words.slice(0, 2)].join(' '), 60)
}

const distinctPrograms = (programs: readonly HeldTool[]): HeldTool[] =>
  [...new Map(programs.map((one) => [one.key, one])).values()].sort((a, b) => (a.title < b.title ? -1 : 1))

interface Role {
  role: string
  work: KindOfWork
}

/** Returns the tools that agents of a method could call, by kind of work; `called` are its roles whose agents call tools. */
function workTools(method: Method, called: readonly Role[]): WorkTools[] {
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
function inOrder(tools: readonly HeldTool[]): HeldTool[] {
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
