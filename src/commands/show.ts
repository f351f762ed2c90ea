import { join } from 'node:path'
import { UserError } from '../errors.ts'
import { billOf } from '../loop/bill.ts'
import { openBlobs } from '../loop/blobs.ts'
import { contentsOf } from '../loop/contents.ts'
import { stepsOf } from '../loop/journal-index.ts'
import { readRecords } from '../loop/records.ts'
import { redactTask } from '../loop/redact-task.ts'
import { readManifest } from '../loop/run-folder.ts'
import { readSessions } from '../loop/sessions.ts'
import { billText } from '../reports/bill-text.ts'
import { runOverview } from '../reports/run-overview.ts'
import { story } from '../reports/story.ts'
import type { RunManifest } from '../schema/run.ts'
import type { Task } from '../schema/task.ts'
import { findTrial } from './find-trial.ts'
import { findRunFolder, tasksOf } from './reopen.ts'
import { secretsOfRun } from './run-secrets.ts'

/** `bench show RUN [TRIAL]`: what was asked and what became of each trial, or one trial as a story. */
export default async function show(
  run: string,
  trial: string | undefined,
  options: { full?: boolean },
): Promise<number> {
  const folder = findRunFolder(run)
  const manifest = readManifest(folder)
  if (trial === undefined) {
    process.stdout.write(
      runOverview({ manifest, records: readRecords(folder), sessions: readSessions(folder), run: folder }),
    )
    process.stdout.write(`\n${billText({ ...billOf(folder) })}`)
    return 0
  }
  const record = findTrial(folder, trial)
  const blobs = openBlobs(join(folder, 'blobs'))
  const steps = [...stepsOf(folder, record.trial, blobs)]
  const task = taskIfThere(folder, manifest, record.task)
  process.stdout.write(
    story({
      record,
      steps,
      full: options.full === true,
      contentOf: contentsOf(steps, task, blobs),
      ...(task && { title: task.spec.title, instruction: task.instruction }),
    }),
  )
  return 0
}

/** A run can be read though its tasks are gone. */
function taskIfThere(folder: string, manifest: RunManifest, ref: string): Task | undefined {
  try {
    const task = tasksOf(folder, manifest).find((task) => task.ref === ref)
    return task && redactTask(task, secretsOfRun(manifest.secrets ?? []).redact)
  } catch (error) {
    if (error instanceof UserError) return undefined
    throw error
  }
}
