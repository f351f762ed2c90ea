import type { RunFacts } from '../../reports/comparison/run-notes.ts'
import type { RunManifest } from '../../schema/run/run.ts'
import { canonicalJson } from '../../text/canonical-json.ts'
import { allTasks, type ComparedSide } from './compared-side.ts'

/** Describes the settings that differ between two runs: they may explain a difference, but do not prevent the comparison. */
export function differingSettings(first: ComparedSide, second: ComparedSide): string[] {
  const [a, b] = [first.manifest, second.manifest]
  const [ours, theirs] = [methodOf(first), methodOf(second)]
  const texts: string[] = []
  const compare = (name: string, ours: unknown, theirs: unknown) => {
    const [x, y] = [canonicalJson(ours ?? null), canonicalJson(theirs ?? null)]
    if (x !== y) texts.push(`${name} differ, ${x} and ${y}`)
  }
  if (ours?.strategy === theirs?.strategy) {
    compare('options of the method', ours?.options, theirs?.options)
    if (ours?.digest !== theirs?.digest) texts.push(`the code of the method ${first.method} differs`)
  }
  compare('agents', a.agentSets ?? a.agents, b.agentSets ?? b.agents)
  compare('versions of agents', a.agentVersions, b.agentVersions)
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

const methodOf = ({ manifest, method }: ComparedSide) =>
  manifest.methods.find(({ label }) => label === method)

/** Returns the most turns of one ask with tools; undefined where no method has tools. */
const turnsOf = ({ methods }: RunManifest) => methods.find(({ tools }) => tools)?.tools?.turns

const withoutVerdict = ({ imported }: RunManifest) =>
  imported && (imported.asFailed === undefined ? 'missing' : 'failed')

/** Names the models that answered, if they are not the same in both runs. */
export function differingModels(runs: readonly RunFacts[]): string[] {
  const [ours, theirs] = runs.map(({ models }) => models.join(', '))
  return ours === theirs ? [] : [`models that answered differ, ${ours} and ${theirs}`]
}
