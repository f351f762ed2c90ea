import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { readManifest } from '../../loop/record/run-folder.ts'
import type { RunManifest } from '../../schema/run/run.ts'
import { redactVariables } from '../terminal/redact-output.ts'

/** A run folder by its path, or by its name inside results/. */
export function findRunFolder(run: string): string {
  return !existsSync(run) && existsSync(join('results', run)) ? join('results', run) : run
}

/**
 * The folder and the manifest of a run, by its path or its name inside results/. From then on nothing that this process prints
 * holds the values of variables that were named as secret when the run began. Throws `UserError` for what is no run.
 */
export function openRun(run: string): { folder: string; manifest: RunManifest } {
  const folder = findRunFolder(run)
  const manifest = readManifest(folder)
  redactVariables(manifest.secrets ?? [])
  return { folder, manifest }
}
