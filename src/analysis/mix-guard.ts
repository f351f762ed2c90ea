import type { TrialRecord } from '../schema/ledger/record.ts'
import { UserError } from '../text/errors.ts'

/** Watches over records that are to stand in one table: simulated and live ones never do, nor those with other faults. */
export interface MixGuard {
  /** Throws `UserError` on a record that is simulated where those before it are live, or had other faults on purpose. */
  add(record: TrialRecord): void
  /** True when the records are made up. */
  simulated(): boolean
  /** The faults on purpose that all of them ran with. */
  faults(): string | null
}

/** A guard that has seen no record. */
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

// A live trial that broke before it asked anyone fits beside both.
function isSimulated(record: TrialRecord): boolean | undefined {
  if (record.simulated) return true
  return record.spent.calls === 0 ? undefined : false
}

function mixedRecordsError(record: TrialRecord): UserError {
  return new UserError({
    where: `record ${record.trial}`,
    what: `${record.method} on ${record.task} is ${isSimulated(record) ? 'simulated' : 'live'}, records before it are not: simulated and live numbers cannot stand in one comparison`,
    fix: 'Report the simulated and the live run apart.',
  })
}

function mixedFaultsError({ trial, method, task, faults }: TrialRecord): UserError {
  return new UserError({
    where: `record ${trial}`,
    what: `${method} on ${task} ran with ${faults === undefined ? 'no faults' : `faults (${faults})`} on purpose, records before it did not: they cannot stand in one comparison`,
    fix: 'Report runs with different --inject apart.',
  })
}
