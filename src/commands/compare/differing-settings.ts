import { agentsLabel } from '../../analysis/summarize.ts'
import type { MethodSummary } from '../../analysis/summary.ts'
import type { RunFacts } from '../../reports/comparison/run-notes.ts'
import { agentSetsOf } from '../../schema/agent/agent-set.ts'
import { modelOfAgent } from '../../schema/agent/other-model.ts'
import type { RunManifest } from '../../schema/run/run.ts'
import { allTasks, type ComparedSide } from './compared-side.ts'

/** Describes the settings that differ between two runs: they may explain a difference, but do not prevent the comparison. */
export function differingSettings(first: ComparedSide, second: ComparedSide): string[] {
  const [a, b] = [first.manifest, second.manifest]
  const [ours, theirs] = [methodOf(first), methodOf(second)]
  const texts: string[] = []
  const compare = (name: string, ours: unknown, theirs: unknown) => {
    const [mine, yours] = [entriesOf(ours), entriesOf(theirs)]
    const without = (entries: typeof mine, others: typeof mine) =>
      [...entries].filter(([key, text]) => others.get(key) !== text).map(([, text]) => text)
    const [x, y] = [without(mine, yours), without(yours, mine)].map((found) => found.join(', ') || 'none')
    if (x !== y) texts.push(`${name} differ, ${x} and ${y}`)
  }
  if (ours?.strategy === theirs?.strategy) {
    compare('options of the method', ours?.options, theirs?.options)
    if (ours?.digest !== theirs?.digest) texts.push(`the code of the method ${first.method} differs`)
  }
  compare('agents', agentsLabel(agentsOf(first)), agentsLabel(agentsOf(second)))
  compare('versions of agents', versionsOf(first), versionsOf(second))
  compare('profiles', a.profile?.id, b.profile?.id)
  if (a.profile?.id === b.profile?.id && a.profile?.digest !== b.profile?.digest)
    texts.push(`profiles differ, though both are called ${a.profile?.id}`)
  compare('limits of a trial', a.limits, b.limits)
  compare('retries', a.retries, b.retries)
  compare('turns of asks with tools', turnsOf(a), turnsOf(b))
  compare('prices', a.prices?.table, b.prices?.table)
  compare('own prices', a.prices?.file?.prices, b.prices?.file?.prices)
  compare('seeds', a.seed, b.seed)
  compare('ways to count trials without a verdict', withoutVerdict(a), withoutVerdict(b))
  compare('versions of Node', a.versions.node, b.versions.node)
  const [mine, yours] = [a, b].map((run) => new Set(allTasks(run).map(({ ref }) => ref))) as [
    Set<string>,
    Set<string>,
  ]
  const shared = [...mine].filter((ref) => yours.has(ref)).length
  if (shared < mine.size || shared < yours.size)
    texts.push(
      `tasks differ, ${mine.size} and ${yours.size} with ${shared} in common; only those are compared`,
    )
  return texts
}

/** Returns each entry of a setting as text, by its path: `calls 3`, `deep.x 1`. */
function entriesOf(value: unknown, path: readonly string[] = []): Map<string, string> {
  const name = path.join('.')
  if (value === undefined || value === null) return new Map()
  if (typeof value !== 'object') return new Map([[name, `${name} ${value}`.trim()]])
  return new Map(Object.entries(value).flatMap(([key, one]) => [...entriesOf(one, [...path, key])]))
}

/** Returns the agents of the row that is compared; its run may have other sets. */
const agentsOf = ({ manifest, set }: ComparedSide) =>
  agentSetsOf(manifest).find(({ label }) => label === set)?.agents ?? manifest.agents

function versionsOf(side: ComparedSide) {
  const own = Object.values(agentsOf(side))
  return Object.fromEntries(
    Object.entries(side.manifest.agentVersions ?? {}).filter(([agent]) => own.includes(agent)),
  )
}

const methodOf = ({ manifest, method }: ComparedSide) =>
  manifest.methods.find(({ label }) => label === method)

/** Returns the most turns of one ask with tools; undefined where no method has tools. */
const turnsOf = ({ methods }: RunManifest) => methods.find(({ tools }) => tools)?.tools?.turns

const withoutVerdict = ({ imported }: RunManifest) =>
  imported && (imported.asFailed === undefined ? 'missing' : 'failed')

/**
 * Names the models that answered in the trials of the two rows, if they are not the same. Of a row that tells none, those of its agents in
 * the whole run. Agents that both rows have are told by `servedWarnings`, with the calls of each model.
 */
export function differingModels(
  sides: readonly ComparedSide[],
  runs: readonly RunFacts[],
  rows: readonly (MethodSummary | undefined)[],
): string[] {
  const servedBy = (agent: string) =>
    rows.map((row) => (row?.replies?.served ?? []).filter((one) => one.agent === agent))
  const [ours, theirs] = sides.map((side, index) => {
    const agents = new Set(Object.values({ ...agentsOf(side), ...methodOf(side)?.agents }))
    const answered = [...agents].flatMap((agent) => {
      const known = (runs[index]?.models ?? []).filter(
        (text) => text === agent || text.startsWith(`${agent} `),
      )
      const served = servedBy(agent)
      const own = (served[index] ?? []).map(({ model }) => model)
      if (own.length === 0) return known
      const named = (known[0] ?? agent).replace(/ \(answered as .*\)$/, '')
      const isTold = modelOfAgent(agent) !== '' && served.every((calls) => calls.length > 0)
      return isTold ? named : `${named} (answered as ${own.sort().join(', ')})`
    })
    if (answered.length > 0) return answered.join(', ')
    return side.manifest.agentSets ? agentsLabel(agentsOf(side)) : (runs[index]?.models ?? []).join(', ')
  })
  return ours === theirs ? [] : [`models that answered differ, ${ours} and ${theirs}`]
}
