import type { ToolCounts, TrialRecord } from '../schema/ledger/record.ts'

/** Calls of tools by the agents of a method, over its trials. */
export interface ToolUse extends Required<Omit<ToolCounts, 'servers'>> {
  /** Trials in which a tool was called. */
  trials: number
}

/** Returns no calls of tools. */
export const noToolUse = (): ToolUse => ({ trials: 0, calls: 0, turns: 0, asks: 0, failed: {}, byName: {} })

/** Adds the calls of a trial. */
export function addToolUse(use: ToolUse, { tools }: TrialRecord): void {
  if (!tools) return
  use.trials++
  use.calls += tools.calls
  use.turns += tools.turns
  use.asks += tools.asks
  for (const [outcome, count] of Object.entries(tools.failed ?? {})) {
    const key = outcome as keyof ToolUse['failed']
    use.failed[key] = (use.failed[key] ?? 0) + count
  }
  for (const [name, { calls, failed }] of Object.entries(tools.byName)) {
    const sum = Object.hasOwn(use.byName, name) ? use.byName[name] : undefined
    const total = { calls: (sum?.calls ?? 0) + calls, failed: (sum?.failed ?? 0) + failed }
    Object.defineProperty(use.byName, name, {
      value: total,
      enumerable: true,
      configurable: true,
      writable: true,
    })
  }
}
