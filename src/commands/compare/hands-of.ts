import { strategies as builtIn } from '../../../strategies/index.ts'
import { withoutLabel } from '../../agents/agent.ts'
import { agentTools } from '../../agents/registry.ts'
import type { Hands } from '../../analysis/compare/hands.ts'
import type { KindOfWork } from '../../ask.ts'
import { rolesOf } from '../../loop/plan/row-agents.ts'
import { agentSetsOf, ofRole, rowName } from '../../schema/agent/agent-set.ts'
import type { Method } from '../../schema/ledger/trial.ts'
import type { RunManifest } from '../../schema/run/run.ts'
import { canonicalJson } from '../../text/canonical-json.ts'
import { assignmentsOf } from './assignments.ts'
import { inOrder, workTools } from './work-tools.ts'

/** Returns what the agents of each row could call or use, by the row's name in tables. */
export function handsOf(manifest: RunManifest): Record<string, Hands> {
  const assignments = assignmentsOf(manifest)
  const rows = manifest.methods.flatMap((method) =>
    agentSetsOf(manifest).map((set): [string, Hands] => {
      const row = rowName(method.label, set.label)
      const names: Record<string, string> = { ...set.agents, ...method.agents }
      const { called, own } = askedAgents(method, names)
      const works = workTools(method, called)
      const programs = [...new Set(own.map((name) => programOf(manifest, name)))].sort()
      const hands = [
        ...inOrder(works.flatMap(({ sets }) => sets.flat())).map(({ title }) => title),
        ...programs.map((name) => `own tools of ${name}`),
      ]
      const { strategy, options, digest, match, limits } = method
      return [
        row,
        {
          names: hands,
          works,
          programs,
          method: canonicalJson([strategy, options, digest, match, limits, assignments[row]]),
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

/** Returns the name of the program of an agent: that of its provider, or for one of the config file its command. */
function programOf({ agentSettings = {} }: RunManifest, name: string): string {
  const [provider = name] = withoutLabel(name).split(':')
  return agentSettings[name]?.program?.command[0] ?? provider
}
