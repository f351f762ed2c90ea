import type { Comparison } from '../../analysis/compare/comparison.ts'
import type { FlipsBuilder } from '../../analysis/flips.ts'
import { type FlipsSection, flipsSection } from '../../reports/flips/section.ts'
import type { RunManifest } from '../../schema/run/run.ts'
import { clusterNames } from './compare-options.ts'
import type { ComparedSide } from './compared-side.ts'

/** Returns whether both runs of a comparison planned a task: only such a task can change sides between them. */
export function plannedByBoth(sides: readonly ComparedSide[]): (task: string) => boolean {
  const planned = sides.map(({ manifest }) => new Set(namesOf(manifest)))
  return (task) => planned.every((names) => names.has(task))
}

const namesOf = ({ tasks, earlierTasks = [] }: RunManifest) =>
  [...earlierTasks, ...tasks].map(({ ref }) => ref)

/** Creates the section on tasks that changed sides between two methods. `labels` are their names in the records. */
export function flipsOfPair(
  flips: FlipsBuilder,
  { methods, pairs, simulated }: Comparison,
  { sides, labels, command }: { sides: readonly ComparedSide[]; labels: readonly string[]; command: string },
): FlipsSection {
  const manifestOf = (method: string) =>
    (sides[labels.indexOf(method)] ?? (sides[0] as ComparedSide)).manifest
  const found = flips.result({
    methods: methods.map((row) => ({ ...row, epochs: manifestOf(row.method).epochs })),
    pairs,
    clusters: clusterNames((sides[0] as ComparedSide).manifest),
  })
  const runs = [...new Set(sides.map(({ folder }) => folder))]
  return flipsSection(found, { simulated, runs, command: `${command} --flips` })
}
