import { readManifest } from '../../loop/record/run-folder.ts'
import { assertImportWhole } from '../../loop/record/verify-ledger.ts'
import type { RunManifest } from '../../schema/run/run.ts'
import { UserError } from '../../text/errors.ts'
import { redactVariables } from '../terminal/standard-streams.ts'
import { findRunFolder } from './named-runs.ts'

/** A run folder and the plan in it. */
export interface RunOfFolder {
  folder: string
  manifest: RunManifest
}

/**
 * Returns the folder and the manifest of a run, which is named as for `findRunFolder`. From then on this process redacts
 * the values of the run's secret variables in all of its output. Throws `UserError` if the folder is not a run, or is an import that has lost records.
 */
export function openRun(run: string): RunOfFolder {
  const folder = findRunFolder(run)
  const manifest = readManifest(folder)
  redactVariables(manifest.secrets ?? [])
  if (manifest.imported) assertImportWhole(folder, manifest.imported)
  return { folder, manifest }
}

/** Opens a run like `openRun`. Throws `UserError` also for one that was imported: its trials did not run here, so that they cannot be `deed`. */
export function openOwnRun(run: string, deed: string): ReturnType<typeof openRun> {
  const opened = openRun(run)
  const { imported } = opened.manifest
  if (!imported) return opened
  throw new UserError({
    where: opened.folder,
    what: `holds imported results (${imported.format}), which cannot be ${deed}: they did not run here`,
    fix: 'Use bench report, bench compare, bench power or bench show with it.',
  })
}
