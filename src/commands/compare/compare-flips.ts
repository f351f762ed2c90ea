import { createFlips } from '../../analysis/flips.ts'
import type { RowName } from '../../analysis/rows.ts'
import { type FlipsSection, flipsSection } from '../../reports/flips/section.ts'
import type { TrialRecord } from '../../schema/ledger/record.ts'
import { shellWord } from '../../text/shell-word.ts'
import type { RunOfFolder } from '../open/open-run.ts'
import { clusterNames } from './compare-options.ts'

/** The rows and pairs of which a section speaks. */
interface Compared {
  methods: readonly (RowName & { label: string })[]
  pairs: readonly { a: string; b: string }[]
  simulated: boolean
  recorded?: unknown
}

/** Collects what changed sides. */
export interface FlipsCollector {
  add(record: TrialRecord): void
  /** `command` prints the same as text; default: the report of the run. */
  section(compared: Compared, command?: string): FlipsSection
}

/**
 * Returns a collector for one run, or for one method each of two: `labels` are then their methods in the records, and only tasks
 * that both planned count.
 */
export function collectFlips(
  runs: readonly [RunOfFolder, ...RunOfFolder[]],
  labels: readonly string[] = [],
): FlipsCollector {
  const flips = createFlips()
  const planned = runs.map(({ manifest: { tasks, earlierTasks = [] } }) => {
    return new Set([...earlierTasks, ...tasks].map(({ ref }) => ref))
  })
  const [{ folder, manifest: first }] = runs
  return {
    add(record) {
      if (planned.every((names) => names.has(record.task))) flips.add(record)
    },
    section({ methods, pairs, simulated, recorded }, command = `bench report ${shellWord(folder)}`) {
      const epochsOf = (method: string) => (runs[labels.indexOf(method)]?.manifest ?? first).epochs
      const rows = methods.map((row) => ({ ...row, epochs: epochsOf(row.method) }))
      const found = flips.result({ methods: rows, pairs, clusters: clusterNames(first) })
      const folders = [...new Set(runs.map((run) => run.folder))]
      return flipsSection(found, { simulated, recorded, runs: folders, command: `${command} --flips` })
    },
  }
}
