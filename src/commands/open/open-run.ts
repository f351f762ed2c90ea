import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { readManifest } from '../../loop/record/run-folder.ts'
import type { RunManifest } from '../../schema/run/run.ts'
import { redactVariables } from '../terminal/redact-output.ts'

/** Returns the path of a run folder, given its path or its name inside results/. */
export function findRunFolder(run: string): string {
  return !existsSync(run) && existsSync(join('results', run)) ? join('results', run) : run
}

/**
 * Returns the folder and the manifest of a run, given its path or its name inside results/. From then on this process redacts
 * the values of the run's secret variables in all of its output. Throws `UserError` if the folder is not a run.
 */
export function openRun(run: string): { folder: string; manifest: RunManifest } {
  const folder = findRunFolder(run)
  const manifest = readManifest(folder)
  redactVariables(manifest.secrets ?? [])
  return { folder, manifest }
}
