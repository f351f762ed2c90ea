import type { ToolCounts } from '../../schema/ledger/record.ts'
import { effectKey } from '../../schema/ledger/turn-key.ts'
import type { TrialState } from '../state/trial-state.ts'

/** Returns what the record says of the calls of tools; undefined without any. Parallel branches make them in any order. */
export function countTools({ toolSteps, asked }: TrialState): ToolCounts | undefined {
  if (toolSteps.length === 0) return undefined
  const asks = new Set(toolSteps.map(({ key }) => effectKey(key)))
  const turns = new Set(asked.map(({ step }) => step.key).filter((key) => asks.has(effectKey(key))))
  const byName = new Map<string, { calls: number; failed: number }>()
  const failed: NonNullable<ToolCounts['failed']> = {}
  const servers = new Map<string, NonNullable<ToolCounts['servers']>[number]>()
  for (const { call, outcome, tool, server } of toolSteps) {
    if (outcome !== 'ok') failed[outcome] = (failed[outcome] ?? 0) + 1
    if (tool !== undefined) {
      const { calls = 0, failed: before = 0 } = byName.get(call.name) ?? {}
      byName.set(call.name, { calls: calls + 1, failed: before + (outcome === 'ok' ? 0 : 1) })
    }
    if (server && tool !== undefined)
      servers.set(`${tool} ${server.name} ${server.version}`, { id: tool, ...server })
  }
  return {
    calls: toolSteps.length,
    turns: turns.size,
    asks: asks.size,
    ...(Object.keys(failed).length > 0 && { failed: sorted(failed) }),
    byName: sorted(Object.fromEntries(byName)),
    ...(servers.size > 0 && { servers: Object.values(sorted(Object.fromEntries(servers))) }),
  }
}

const sorted = <Value extends object>(fields: Value): Value =>
  Object.fromEntries(Object.entries(fields).sort(([a], [b]) => (a < b ? -1 : 1))) as Value
