import { agentsLabel } from '../../analysis/summarize.ts'
import type { RunFacts } from '../../reports/comparison/run-notes.ts'
import { agentSetsOf } from '../../schema/agent/agent-set.ts'
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

/** Names the models that answered as agents of the two rows, if they are not the same in both runs. */
export function differingModels(sides: readonly ComparedSide[], runs: readonly RunFacts[]): string[] {
  const [ours, theirs] = sides.map((side, index) => {
    const own = Object.values(agentsOf(side))
    const models = runs[index]?.models ?? []
    const isOwn = (text: string) => own.some((agent) => text === agent || text.startsWith(`${agent} `))
    const answered = models.filter(isOwn)
    if (answered.length > 0) return answered.join(', ')
    return side.manifest.agentSets ? agentsLabel(agentsOf(side)) : models.join(', ')
  })
  return ours === theirs ? [] : [`models that answered differ, ${ours} and ${theirs}`]
}
