import { noteLook } from '../loop/looks.ts'
import type { RunManifest } from '../schema/run.ts'

/**
 * Notes that somebody saw how the methods of a run compare before it was whole, and says so: with trials added after
 * it, tests for a fixed number of tasks would be void. Simulated numbers are never tested, and a run with a stop rule is
 * looked at after every task.
 */
export function tellLook(folder: string, manifest: RunManifest, records: number, command: string): void {
  if (manifest.simulated || manifest.comparison?.stop || records >= manifest.trials || records === 0) return
  noteLook(folder, { records, command: `bench ${command}` })
  process.stderr.write(
    `this look at ${records} of ${manifest.trials} trials is noted: once more trials are added, the tests for a fixed number of tasks are void\n`,
  )
}
