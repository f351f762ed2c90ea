import { strategies as builtIn } from '../../../strategies/index.ts'
import { withoutLabel } from '../../agents/agent.ts'
import { agentTools } from '../../agents/registry.ts'
import type { Hands } from '../../analysis/compare/hands.ts'
import { rolesOf } from '../../loop/plan/row-agents.ts'
import { agentSetsOf, ofRole, rowName } from '../../schema/agent/agent-set.ts'
import type { Method } from '../../schema/ledger/trial.ts'
import type { RunManifest } from '../../schema/run/run.ts'
import { workspaceTools } from '../../schema/tool/tool.ts'
import type { MethodTools } from '../../schema/tool/tool-set.ts'
import { canonicalJson } from '../../text/canonical-json.ts'
import { assignmentsOf } from './assignments.ts'

/** Returns what the agents of each row could call or use, by the row's name in tables. */
export function handsOf(manifest: RunManifest): Record<string, Hands> {
  const assignments = assignmentsOf(manifest)
  const rows = manifest.methods.flatMap((method) =>
    agentSetsOf(manifest).map((set): [string, Hands] => {
      const row = rowName(method.label, set.label)
      const names: Record<string, string> = { ...set.agents, ...method.agents }
      const { called, own } = askedAgents(method, names)
      const isCalled = called.length > 0
      const programs = [...new Set(own.map((name) => programOf(manifest, name)))].sort()
      const hands = [
        ...(isCalled ? toolNames(method.tools) : []),
        ...programs.map((name) => `own tools of ${name}`),
      ]
      const { strategy, options, digest, match, limits } = method
      return [
        row,
        {
          names: hands,
          tools: canonicalJson([isCalled ? contentOf(method.tools) : null, programs]),
          method: canonicalJson([strategy, options, digest, match, limits, assignments[row]]),
        },
      ]
    }),
  )
  return Object.fromEntries(rows)
}

/** Divides the agents of a method by how they use tools: those that call bench's produce work, or may be given tools by a document. */
function askedAgents(method: Method, names: Readonly<Record<string, string>>) {
  const work = kindsOfWork(method)
  const roles = method.roles ?? Object.keys(names)
  const hasDocumented = Object.keys(method.tools?.known ?? {}).some((id) => !method.tools?.given.includes(id))
  const asked = roles.flatMap((role) => {
    const name = ofRole(names, role)
    const mayCall = hasDocumented || work?.[role] === undefined || work[role] === 'produce'
    return name === undefined ? [] : [{ name, mayCall, tools: agentTools(name) }]
  })
  return {
    called: asked.filter(({ tools, mayCall }) => tools === 'called' && mayCall),
    own: asked.filter(({ tools }) => tools === 'own').map(({ name }) => name),
  }
}

/** Returns the roles of a built-in strategy with their kinds of work; undefined for one of the user, which is not loaded to read a run. */
function kindsOfWork({
  strategy: name,
  file,
  options,
  tools,
}: Method): Readonly<Record<string, string>> | undefined {
  // A run without tools needs no strategy here.
  const strategy = file === undefined && tools ? builtIn.find((one) => one.name === name) : undefined
  return strategy && rolesOf(strategy, options)
}

/** Returns the name of the program of an agent: that of its provider, or for one of the config file its command. */
function programOf({ agentSettings = {} }: RunManifest, name: string): string {
  const [provider = name] = withoutLabel(name).split(':')
  return agentSettings[name]?.program?.command[0] ?? provider
}

/** Returns the names of a method's tools: the functions of the workspace, then the ids of others. */
function toolNames(tools: MethodTools | undefined): string[] {
  const all = Object.entries(tools?.known ?? {})
  const allowed = new Set(all.flatMap(([, tool]) => (tool.kind === 'workspace' ? tool.allow : [])))
  const others = all.flatMap(([id, tool]) => (tool.kind === 'workspace' ? [] : [id]))
  return [...workspaceTools.filter((name) => allowed.has(name)), ...others.sort()]
}

/** Returns what makes tools the same: not their ids, nor the number of turns. */
function contentOf(tools: MethodTools | undefined): unknown {
  if (!tools) return null
  const { known, given } = tools
  return Object.entries(known)
    .map(([id, tool]) => canonicalJson([tool, tool.kind === 'mcp' ? id : null, given.includes(id)]))
    .sort()
}
