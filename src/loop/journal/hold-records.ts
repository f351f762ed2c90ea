import type { LineFile } from './line-file.ts'

/** Keeps records back until the steps that they rest on are durable, `restMs` after the last at the latest. */
export function holdRecords(
  steps: LineFile,
  records: LineFile,
  restMs: number,
): { add(text: string): void; release(): void } {
  // By the sync that they wait for.
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
        // A file that breaks has told so itself.
        durable.then(() => release(durable)).catch(() => {})
      }
    },
    release() {
      for (const durable of [...held.keys()]) release(durable)
    },
  }
}
