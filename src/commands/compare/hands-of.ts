import { strategies as builtIn } from '../../../strategies/index.ts'
import { withoutLabel } from '../../agents/agent.ts'
import { agentTools } from '../../agents/registry.ts'
import type { Hands } from '../../analysis/compare/hands.ts'
import type { HeldTool } from '../../analysis/compare/tool-difference.ts'
import type { KindOfWork } from '../../ask.ts'
import { rolesOf } from '../../loop/plan/row-agents.ts'
import { agentSetsOf, ofRole, rowName } from '../../schema/agent/agent-set.ts'
import type { Method } from '../../schema/ledger/trial.ts'
import type { RunManifest } from '../../schema/run/run.ts'
import { canonicalJson } from '../../text/canonical-json.ts'
import { shorten } from '../../text/shorten.ts'
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
      const programs = distinctPrograms(own.flatMap((name) => programsOf(manifest, name)))
      const hands = [
        ...inOrder(works.flatMap(({ sets }) => sets.flat())).map(({ title }) => title),
        ...new Set(programs.map(({ title }) => title)),
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

/**
 * Returns the own tools of the program of an agent: that of its provider, or for one of the config file those of its whole command; and
 * those that its provider runs, if the run lets it use them.
 */
function programsOf({ agentSettings = {}, allowProviderTools }: RunManifest, name: string): HeldTool[] {
  const [provider = name] = withoutLabel(name).split(':')
  const command = agentSettings[name]?.program?.command
  const title = command ? shortCommand(command) : provider
  const words = command ?? [provider]
  return [
    { title: `own tools of ${title}`, key: canonicalJson(['program', ...words]) },
    ...(allowProviderTools
      ? [{ title: `tools that the provider of ${title} runs`, key: canonicalJson(['provider', ...words]) }]
      : []),
  ]
}

/** Returns the first words of a command that are no options and nothing that bench fills in: `npx agent-one`. */
function shortCommand([program = '', ...args]: readonly string[]): string {
  const words = args.filter((word) => !word.startsWith('-') && !word.includes('{'))
  return shorten([program, ...words.slice(0, 2)].join(' '), 60)
}

const distinctPrograms = (programs: readonly HeldTool[]): HeldTool[] =>
  [...new Map(programs.map((one) => [one.key, one])).values()].sort((a, b) => (a.title < b.title ? -1 : 1))
