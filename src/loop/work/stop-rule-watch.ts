import { checkStopRule } from '../../analysis/compare/check-stop-rule.ts'
import { createComparisonData, dropBounds, labelRows } from '../../analysis/compare/rows.ts'
import { rowNames } from '../../schema/agent/agent-set.ts'
import type { TrialRecord } from '../../schema/ledger/record.ts'
import type { RunManifest } from '../../schema/run/run.ts'
import { orderTaskNames } from '../plan/block-order.ts'
import { readRecords } from '../record/records.ts'

/** Creates the watch, with the records of earlier sessions; undefined when the run has no stop rule. */
export function createStopRuleWatch(folder: string, manifest: RunManifest) {
  const { comparison, epochs, baseline } = manifest
  const stop = comparison?.stop
  if (!stop) return undefined
  const comparisonData = createComparisonData()
  const order = orderTaskNames(manifest)
  const methods = manifest.methods.map(({ label }) => label)
  const agentSets = manifest.agentSets?.map(({ label }) => label) ?? []
  const planned = rowNames(manifest).length
  const perTask = epochs * planned
  const left = new Map(order.map((task) => [task, perTask]))
  let settled = false
  // The rule is applied when a task's last trial has ended, not after each trial.
  let changed = true
  const add = (record: TrialRecord) => {
    comparisonData.add(record)
    const open = (left.get(record.task) ?? 0) - 1
    left.set(record.task, open)
    if (open === 0) changed = true
  }
  for (const record of readRecords(folder)) add(record)
  return {
    add,
    /** Whether the finished tasks, in the order of the plan, settle every pair of the family. */
    isSettled(): boolean {
      if (!changed || settled) return settled
      changed = false
      const all = comparisonData.rows()
      const competing = dropBounds(all)
      const rows = labelRows(competing, methods, agentSets)
      const bounds = all.length - competing.length
      const options = { ...comparison, stop, order, epochs, baseline, methods: planned - bounds }
      settled = checkStopRule(rows, options).settledAt !== null
      return settled
    },
  }
}
