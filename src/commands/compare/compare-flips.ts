import type { Comparison } from '../../analysis/compare/comparison.ts'
import { createFlips } from '../../analysis/flips.ts'
import type { Summary } from '../../analysis/summary.ts'
import { type FlipsSection, flipsSection } from '../../reports/flips/section.ts'
import { rowName } from '../../schema/agent/agent-set.ts'
import type { TrialRecord } from '../../schema/ledger/record.ts'
import type { RunManifest } from '../../schema/run/run.ts'
import { shellWord } from '../../text/shell-word.ts'
import { clusterNames } from './compare-options.ts'
import type { ComparedSide } from './compared-side.ts'

/** Returns a collector of what changed sides in a run. Its section is undefined without a pair and without a task that a method repeated. */
export function collectRunFlips(folder: string, manifest: RunManifest) {
  const flips = createFlips()
  return {
    add: flips.add,
    section(summary: Summary, comparison: Comparison | undefined): FlipsSection | undefined {
      const rows =
        comparison?.methods ?? summary.methods.map((row) => ({ ...row, label: rowName(row.method, row.set) }))
      const found = flips.result({
        methods: rows.map((row) => ({ ...row, epochs: manifest.epochs })),
        pairs: comparison?.pairs ?? [],
        clusters: clusterNames(manifest),
      })
      const isEmpty = found.pairs.length === 0 && found.methods.every(({ repeated }) => repeated === 0)
      const command = `bench report ${shellWord(folder)} --flips`
      return isEmpty
        ? undefined
        : flipsSection(found, { simulated: summary.simulated, runs: [folder], command })
    },
  }
}

/** A collector of what changed sides between two methods. */
export interface PairFlips {
  add(record: TrialRecord): void
  section(comparison: Comparison, command: string): FlipsSection
}

/** Returns such a collector. `labels` are their methods in the records. Of two runs, only tasks that both planned count. */
export function collectPairFlips(
  sides: readonly [ComparedSide, ComparedSide],
  labels: readonly string[],
): PairFlips {
  const flips = createFlips()
  const planned = sides.map(({ manifest: { tasks, earlierTasks = [] } }) => {
    return new Set([...earlierTasks, ...tasks].map(({ ref }) => ref))
  })
  const sideOf = (method: string) => sides[labels.indexOf(method)] ?? sides[0]
  return {
    add(record) {
      if (planned.every((names) => names.has(record.task))) flips.add(record)
    },
    section({ methods, pairs, simulated }, command) {
      const found = flips.result({
        methods: methods.map((row) => ({ ...row, epochs: sideOf(row.method).manifest.epochs })),
        pairs,
        clusters: clusterNames(sides[0].manifest),
      })
      const runs = [...new Set(sides.map(({ folder }) => folder))]
      return flipsSection(found, { simulated, runs, command: `${command} --flips` })
    },
  }
}
