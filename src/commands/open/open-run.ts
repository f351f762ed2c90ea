import { readManifest } from '../../loop/record/run-folder.ts'
import type { RunManifest } from '../../schema/run/run.ts'
import { redactVariables } from '../terminal/standard-streams.ts'
import { findRunFolder } from './named-runs.ts'

/**
 * Returns the folder and the manifest of a run, which is named as for `findRunFolder`. From then on this process redacts
 * the values of the run's secret variables in all of its output. Throws `UserError` if the folder is not a run.
 */
export function openRun(run: string): { folder: string; manifest: RunManifest } {
  const folder = findRunFolder(run)
  const manifest = readManifest(folder)
  redactVariables(manifest.secrets ?? [])
  return { folder, manifest }
}
