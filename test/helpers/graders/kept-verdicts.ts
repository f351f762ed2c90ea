import { verdictName } from '../../../src/graders/verdicts/verdict-file.ts'
import { createVerdicts } from '../../../src/graders/verdicts/verdicts.ts'
import type { Verdict } from '../../../src/schema/ledger/verdict.ts'

/** Verdicts of a file, and what would be written to it. */
export function keptIn(held: readonly Verdict[], proved?: Parameters<typeof createVerdicts>[0]['proved']) {
  let written: readonly Verdict[] = []
  const read = { digest: 'd', verdicts: new Map(held.map((one) => [verdictName(one), one])) }
  const write = (verdicts: readonly Verdict[]) => {
    written = verdicts
  }
  const verdicts = createVerdicts({ file: 'kept.jsonl', read, proved, write })
  return {
    verdicts,
    written: () => {
      verdicts.save()
      return written
    },
  }
}
