import { join } from 'node:path'
import { withStorageErrors } from '../../loop/journal/storage.ts'
import type { Approvals } from '../../loop/record/people.ts'
import { createRunFolder } from '../../loop/record/run-folder.ts'
import { createSession } from '../open/create-session.ts'
import { machineFacts } from '../open/machine-facts.ts'
import { writeOrigin } from '../open/run-origin.ts'
import { takesPowers } from '../open/trust-code.ts'
import { askingMethods, defaultPolicy } from '../people/approval-policy.ts'
import { saveRequest } from '../tasks/request-task.ts'
import { collectProblems } from '../values/parse-values.ts'
import { openVerdicts } from './kept-verdicts.ts'
import { type NewRun, resolveRun } from './new-run.ts'
import type { OpenedRun, SessionOptions } from './session-options.ts'

/** Resolves a requested run and creates its folder. If anything is wrong, throws `UserError` with every problem and creates nothing. */
export async function beginRun(options: SessionOptions): Promise<OpenedRun> {
  const { given, problems, conditions, redact, sandbox, memory, signal, onWarning } = options
  const tools = { redact, sandbox, memory, signal, onWarning }
  const openFile = () => openVerdicts({ ...given.options, cwd: process.cwd() }, onWarning)
  const verdicts = await collectProblems(problems, openFile, undefined)
  const run = await resolveRun(given, problems, conditions, tools)
  const { folder, tasks } = run
  const queue = given.options.queue === undefined ? undefined : await machineFacts(tasks, run.sandboxed)
  const manifest = { ...run.manifest, ...(queue && { queue }) }
  for (const warning of run.warnings) onWarning(warning)
  const [task] = tasks
  await createRunFolder(folder, (folder) => {
    if (manifest.request && task) saveRequest(folder, task)
    return manifest
  })
  if (takesPowers(manifest)) withStorageErrors(join(folder, 'origin'), () => writeOrigin(folder))
  const { strategies, agents, profile, toolFiles, sandboxed } = run
  const created = createSession(folder, manifest, {
    ...{ tasks, strategies, agents, profile, toolFiles },
    ...{ approvals: newApprovals(options, run), redact },
    ...{ sandbox: sandbox.run, openSandbox: sandbox.open, memory, verdicts, budgets: run.budgets },
  })
  return { session: { ...created, sandboxed }, manifest }
}

/** Returns who answers approvals. If nobody decided that and approvals are answered yes in a live run, a line says so. */
function newApprovals({ approve, askPerson, onWarning }: SessionOptions, run: NewRun): Approvals {
  const policy = approve ?? defaultPolicy(askPerson)
  if (approve || policy.policy !== 'yes' || run.manifest.mode !== 'live') return { policy, askPerson }
  const advice = 'set --approve park to be asked, or --approve yes'
  const methods = askingMethods(run.manifest, run.strategies)
  if (methods.length > 0) {
    onWarning(`${methods.join(', ')} can ask a person, and every approval is answered yes; ${advice}`)
    return { policy, askPerson }
  }
  let isSaid = false
  const onDefault = () => {
    if (!isSaid) onWarning(`a method asked for an approval, and it was answered yes; ${advice}`)
    isSaid = true
  }
  return { policy, askPerson, onDefault }
}
