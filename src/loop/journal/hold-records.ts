import type { LineFile } from './line-file.ts'

/** Holds records back until the steps of their trials are durable, which takes `restMs` after the last step at most. */
export function holdRecords(
  steps: LineFile,
  records: LineFile,
  restMs: number,
): { add(text: string): void; release(): void } {
  // Keyed by the sync that the records wait for.
  const held = new Map<Promise<void>, string[]>()
  const release = (durable: Promise<void>) => {
    for (const text of held.get(durable) ?? []) records.append(text)
    held.delete(durable)
    records.flush()
  }
  return {
    add(text) {
      const durable = steps.sync(restMs)
      const others = held.get(durable)
      if (others) others.push(text)
      else {
        held.set(durable, [text])
        // The file reports its own write errors.
        durable.then(() => release(durable)).catch(() => {})
      }
    },
    release() {
      for (const durable of [...held.keys()]) release(durable)
    },
  }
}
