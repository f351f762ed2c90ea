import type { TrialRecord } from '../schema/ledger/record.ts'
import { UserError } from '../text/errors.ts'

/** Checks that records may share a table: simulated and live ones may not, nor records with different injected faults. */
export interface MixGuard {
  /** Throws `UserError` if the record is simulated and earlier ones are live or the reverse, or if its faults differ. */
  add(record: TrialRecord): void
  /** Whether the records are simulated. */
  simulated(): boolean
  /** The injected faults that all records ran with; null for none. */
  faults(): string | null
}

/** Returns a guard that has seen no record. */
export function createMixGuard(): MixGuard {
  let simulated: boolean | undefined
  let faults: string | null | undefined
  return {
    add(record) {
      const kind = isSimulated(record)
      if (simulated !== undefined && kind !== undefined && kind !== simulated) throw mixedRecordsError(record)
      if (faults !== undefined && faults !== (record.faults ?? null)) throw mixedFaultsError(record)
      simulated = kind ?? simulated
      faults = record.faults ?? null
    },
    simulated: () => simulated ?? false,
    faults: () => faults ?? null,
  }
}

// A live trial that failed before its first call fits both kinds.
function isSimulated(record: TrialRecord): boolean | undefined {
  if (record.simulated) return true
  return record.spent.calls === 0 ? undefined : false
}

function mixedRecordsError(record: TrialRecord): UserError {
  return new UserError({
    where: `record ${record.trial}`,
    what: `${record.method} on ${record.task} is ${isSimulated(record) ? 'simulated, but the records before it are live' : 'live, but the records before it are simulated'}: simulated and live numbers cannot be compared`,
    fix: 'Report the simulated and the live run separately.',
  })
}

function mixedFaultsError({ trial, method, task, faults }: TrialRecord): UserError {
  return new UserError({
    where: `record ${trial}`,
    what: `${method} on ${task} ran with ${faults === undefined ? 'no injected faults' : `injected faults (${faults})`}, unlike the records before it: they cannot be compared`,
    fix: 'Report runs with different --inject separately.',
  })
}
