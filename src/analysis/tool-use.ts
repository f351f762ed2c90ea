import type { ToolCounts, TrialRecord } from '../schema/ledger/record.ts'

/** Calls of tools by the agents of a method, over its trials. */
export interface ToolUse extends Required<Omit<ToolCounts, 'servers'>> {
  /** Trials in which a tool was called. */
  trials: number
}

/** Returns the calls so far with those of a trial; undefined if there is none. */
export function addToolUse(before: ToolUse | undefined, { tools }: TrialRecord): ToolUse | undefined {
  if (!tools) return before
  const use = before ?? { trials: 0, calls: 0, turns: 0, asks: 0, failed: {}, byName: {} }
  return {
    trials: use.trials + 1,
    calls: use.calls + tools.calls,
    turns: use.turns + tools.turns,
    asks: use.asks + tools.asks,
    failed: mergeWith(use.failed, tools.failed ?? {}, (a, b = 0) => a + b),
    byName: mergeWith(use.byName, tools.byName, (a, b) => ({
      calls: a.calls + (b?.calls ?? 0),
      failed: a.failed + (b?.failed ?? 0),
    })),
  }
}

/** Merges two records; a value that both have is added. Any text may be a key. */
function mergeWith<Key extends string, Value>(
  a: Partial<Record<Key, Value>>,
  b: Partial<Record<Key, Value>>,
  add: (value: Value, other: Value | undefined) => Value,
): Record<Key, Value> {
  const sums = new Map(Object.entries<Value | undefined>(a)) as Map<string, Value>
  for (const [key, value] of Object.entries<Value | undefined>(b))
    if (value !== undefined) sums.set(key, add(value, sums.get(key)))
  return Object.fromEntries(sums) as Record<Key, Value>
}
