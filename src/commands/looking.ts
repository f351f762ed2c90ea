import { noteLook } from '../loop/looks.ts'
import type { RunManifest } from '../schema/run.ts'

/**
 * Notes that somebody saw how the methods of a run compare before it was whole, and says so: with trials added after
 * it, tests for a fixed number of tasks would be void. Simulated numbers are never tested, and a run with a stop rule is
 * looked at after every task.
 */
export function tellLook(folder: string, manifest: RunManifest, records: number, command: string): void {
  if (manifest.simulated || manifest.comparison?.stop || records >= manifest.trials || records === 0) return
  const isNoted = noteLook(folder, { records, command: `bench ${command}` })
  const look = `this look at ${records} of ${manifest.trials} trials`
  process.stderr.write(
    isNoted
      ? `${look} is noted: once more trials are added, the tests for a fixed number of tasks are void\n`
      : `${look} cannot be noted, since ${folder} is read-only; if the run goes on elsewhere, the tests for a fixed number of tasks are void\n`,
  )
}
