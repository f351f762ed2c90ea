import type { AgentRun, MachineSpending } from '../../schema/machine/machine-record.ts'
import type { Spent } from '../../strategy.ts'
import { sha256 } from '../../text/canonical-json.ts'

const previewWords = 30

/** Returns what the record keeps of an output: the number of its words, the first of them, and its hash. */
export function outputFacts(path: string, text: string): NonNullable<AgentRun['output']> {
  const words = text.split(/\s+/).filter((word) => word !== '')
  const preview = words.slice(0, previewWords).join(' ')
  return {
    ...{ path, words: words.length, sha256: sha256(text) },
    preview: words.length > previewWords ? `${preview} …` : preview,
  }
}

/** Returns what was spent between two moments. A sum is null if some call between them did not report its part. */
export function spentBetween(before: Spent, after: Spent): MachineSpending {
  const added = (key: 'input' | 'output' | 'costUsd') => {
    if (after.unreported[key] > before.unreported[key]) return null
    // Sums of dollars have the noise of binary fractions.
    return Math.max(0, Number((after.reported[key] - before.reported[key]).toFixed(10)))
  }
  return {
    calls: after.calls - before.calls,
    ...{ input: added('input'), output: added('output'), costUsd: added('costUsd') },
  }
}
