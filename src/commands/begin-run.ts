import { join } from 'node:path'
import { createRunFolder } from '../loop/run-folder.ts'
import type { Session } from '../loop/session.ts'
import { storing } from '../loop/storage.ts'
import type { RunManifest } from '../schema/run.ts'
import { resolveRun } from './new-run.ts'
import { saveRequest } from './request-task.ts'
import { markOrigin } from './run-origin.ts'
import { createSession } from './session.ts'
import { admitSession, type SessionOptions } from './session-options.ts'
import { namesCode } from './trust-code.ts'

/** Resolves what was asked for, and makes the run folder. Throws `UserError` with all that is wrong, and makes none then. */
export async function beginRun(
  options: SessionOptions,
): Promise<{ session: Session; manifest: RunManifest }> {
  const { given, problems, conditions, redact, sandbox, signal, onWarning, approvals } = options
  const tools = { redact, sandbox, signal, onWarning }
  const run = await resolveRun(given, problems, conditions, tools)
  const { manifest, folder, tasks } = run
  for (const warning of run.warnings) onWarning(warning)
  await admitSession(options, { agents: run.asked, tasks })
  const [task] = tasks
  createRunFolder(folder, manifest, (folder) => manifest.request && task && saveRequest(folder, task))
  if (namesCode(manifest)) storing(join(folder, 'origin'), () => markOrigin(folder))
  const { strategies, agents, profile } = run
  const session = createSession(folder, manifest, {
    ...{ tasks, strategies, agents, profile },
    ...{ approvals, redact, sandbox: sandbox.run, budgets: manifest.budgets },
  })
  return { session, manifest }
}
