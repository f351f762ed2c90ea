import type { CompareOptions } from '../../analysis/compare/compare.ts'
import type { Refusal } from '../../analysis/refusal.ts'
import type { ClusterNames } from '../../analysis/tasks/clusters.ts'
import { orderTaskNames } from '../../loop/plan/block-order.ts'
import { unknownName } from '../../loop/plan/unknown-name.ts'
import type { RunFacts } from '../../reports/comparison/run-notes.ts'
import { type FormatName, formats } from '../../reports/registry.ts'
import { defaultComparison } from '../../schema/run/comparison-plan.ts'
import type { RunManifest } from '../../schema/run/run.ts'
import { canonicalJson } from '../../text/canonical-json.ts'
import { UserError } from '../../text/errors.ts'
import type { ComparedSide } from './compared-side.ts'
import { agentsAsMethod, assignmentsOf, toolsOf } from './tools-of.ts'

/** Returns the output format of `--format` of `bench compare`. Throws `UserError` for an unknown one. */
export function comparisonFormat(name: string): FormatName {
  if (!Object.hasOwn(formats, name))
    throw new UserError(
      unknownName(`--format ${name}`, 'format', name, Object.keys(formats), 'bench compare --help'),
    )
  return name as FormatName
}

/** Returns the options of a comparison as the run's plan states them. */
export function compareOptions(manifest: RunManifest, voided: Refusal | null): CompareOptions {
  return {
    ...(manifest.comparison ?? defaultComparison),
    baseline: manifest.baseline,
    methods: manifest.methods.map(({ label }) => label),
    agentSets: manifest.agentSets?.map(({ label }) => label) ?? [],
    assignments: assignmentsOf(manifest),
    agentsAsMethod: agentsAsMethod(manifest),
    tools: toolsOf(manifest),
    properties: propertiesOf(manifest),
    clusters: clusterNames(manifest),
    epochs: manifest.epochs,
    order: orderTaskNames(manifest),
    seed: manifest.seed,
    voided,
  }
}

/** Returns how many wordings the runs of a comparison tried on their tasks, each text once; 1 where no run has several. */
export function wordingsTried(runs: readonly Pick<RunManifest, 'agentSets'>[]): number {
  const worded = runs.filter(({ agentSets }) => agentSets?.some(({ instructions }) => instructions))
  const sets = worded.flatMap(({ agentSets = [] }) => agentSets)
  return Math.max(1, new Set(sets.map(({ instructions }) => instructions?.text ?? '')).size)
}

/** Returns the stated properties of the tasks of a run, by their names in records. */
export function propertiesOf({
  tasks,
  earlierTasks = [],
}: RunManifest): NonNullable<CompareOptions['properties']> {
  return Object.fromEntries(
    [...earlierTasks, ...tasks].flatMap(({ ref, properties }) => (properties ? [[ref, properties]] : [])),
  )
}

/** Returns the clusters of the tasks of a run, by their names in records. */
export function clusterNames({ tasks, earlierTasks = [] }: RunManifest): ClusterNames {
  return Object.fromEntries(
    [...earlierTasks, ...tasks].flatMap(({ ref, cluster }) => (cluster ? [[ref, cluster]] : [])),
  )
}

/** Returns why tests for a fixed number of tasks are void: trials were added after an interim look, or the run is unfinished and no limit stopped it. */
export function testRefusal(
  { recorded, planned, stoppedByLimit }: Pick<RunFacts, 'recorded' | 'planned' | 'stoppedByLimit'>,
  looks: readonly number[],
): Refusal | null {
  if (looks.some((records) => records < recorded)) return 'looked'
  return recorded < planned && !stoppedByLimit ? 'unfinished' : null
}

/** Returns the models of both sides. Empty if both runs have the same method: then the agents are what is compared, so they do not confound. */
export function assignmentsOfBoth(
  a: ComparedSide,
  b: ComparedSide,
  labels: readonly string[],
): CompareOptions['assignments'] {
  const entryOf = ({ manifest, method }: ComparedSide) => {
    const { strategy, options, digest } = manifest.methods.find(({ label }) => label === method) ?? {}
    return canonicalJson([strategy, options, digest])
  }
  if (entryOf(a) === entryOf(b)) return {}
  return Object.fromEntries(
    [a, b].map(({ manifest, label }, index) => [labels[index], assignmentsOf(manifest)[label] ?? {}]),
  )
}

/** Returns what the run of each side says of its method, by the labels of both; without a side of which it says nothing. */
function ofBoth<Said>(
  sides: readonly [ComparedSide, ComparedSide],
  labels: readonly string[],
  read: (manifest: RunManifest) => Readonly<Record<string, Said>> | undefined,
): Record<string, Said> {
  const said = sides.flatMap(({ manifest, label }, index) => {
    const own = read(manifest)?.[label]
    return own === undefined ? [] : [[labels[index], own] as const]
  })
  return Object.fromEntries(said)
}

/** Returns which of both sides are their agents. */
export const agentsAsMethodOfBoth = (
  a: ComparedSide,
  b: ComparedSide,
  labels: readonly string[],
): CompareOptions['agentsAsMethod'] => ofBoth([a, b], labels, agentsAsMethod)

/** Returns the tools of both sides. */
export const toolsOfBoth = (
  a: ComparedSide,
  b: ComparedSide,
  labels: readonly string[],
): CompareOptions['tools'] => ofBoth([a, b], labels, toolsOf)
