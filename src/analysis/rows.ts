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

/** The identity of a table row: a method, its agents, and their set if the run has several. */
export interface RowName {
  method: string
  agents: string
  set: string | null
}

/** Returns an empty list of rows. `empty` creates a row. */
export function createRows<Row extends RowName>(
  empty: (method: string, agents: string, set: string | null) => Row,
) {
  const rows: Row[] = []
  return {
    /** Returns the row of this name; creates it the first time. */
    of(method: string, agents: string, set: string | null): Row {
      const known = rows.find((row) => row.method === method && row.agents === agents && row.set === set)
      if (known) return known
      const added = empty(method, agents, set)
      rows.push(added)
      return added
    },
    all: () => [...rows],
  }
}
