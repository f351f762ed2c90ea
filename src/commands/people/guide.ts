import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { takesGuidance } from '../../loop/effects/checkpoint.ts'
import { ledgerOf } from '../../loop/join/blocks.ts'
import { openBlobs } from '../../loop/journal/blobs.ts'
import { stepsOf } from '../../loop/journal/ledger-index.ts'
import { unknownName } from '../../loop/plan/unknown-name.ts'
import { resumeCommand } from '../../loop/record/in-blocks.ts'
import { appendPeopleLine, readPeople } from '../../loop/record/people-file.ts'
import { recordedTrials } from '../../loop/record/records.ts'
import { lastState } from '../../loop/replay/set-state.ts'
import type { Trial } from '../../schema/ledger/trial.ts'
import { Machine } from '../../schema/machine/machine-file.ts'
import type { RunManifest } from '../../schema/run/run.ts'
import { problemAt, UserError } from '../../text/errors.ts'
import { initialState, statesAhead } from '../../workflows/machine/state-facts.ts'
import { findRunSecrets } from '../config/run-secrets.ts'
import { planFromManifest } from '../open/create-session.ts'
import { tryReadTasks } from '../open/find-trial.ts'
import { openOwnRun } from '../open/open-run.ts'

/** `bench guide RUN TRIAL STATE TEXT`: tells a trial something about one state of its method, once, at its next checkpoint. */
export default async function guide(
  run: string,
  trial: string,
  state: string,
  text: string,
): Promise<number> {
  const { folder, manifest } = openOwnRun(run, 'steered')
  const { id, cell, ledger } = await findTrialToGuide(folder, manifest, trial)
  const states = guidedStates(ledger, id, cell.method.options)
  if (!states)
    throw new UserError({
      where: id,
      what: `the method ${cell.method.label} takes no guidance: no checkpoint of this trial has had a field "guidance"`,
      fix: 'Change a field of its state instead, while the run is stopped: bench state RUN TRIAL --set FIELD=JSON.',
    })
  if (states.length > 0 && !states.includes(state))
    throw new UserError(
      unknownName(`bench guide ${state}`, `state of ${cell.method.label}`, state, states, 'bench methods'),
    )
  const ahead = aheadOf(ledger, id, cell.method.options)
  if (ahead && !ahead.includes(state))
    throw new UserError({
      where: `bench guide ${state}`,
      what: 'the trial is past this state, or does not get to it, so nobody would read the text',
      fix: `Still ahead: ${ahead.join(', ') || 'none that reads guidance'}.`,
    })
  if (text.trim() === '')
    throw new UserError(problemAt('bench guide', 'the text is empty', 'Say what to do differently.'))
  // A damaged file is reported here, not by the run that it stops.
  await readPeople(folder)
  const { redact } = findRunSecrets(manifest.secrets ?? [])
  const said = { state, text: text.trim() }
  appendPeopleLine(folder, {
    type: 'guidance',
    ...{ trial: id, at: new Date().toISOString(), id: randomUUID() },
    ...(redact?.data(said) ?? said),
  })
  process.stderr.write(
    `The trial gets this at its next checkpoint, once. If no bench is working on the run: ${resumeCommand(folder)}\n`,
  )
  return 0
}

/** Returns the trial whose id begins so, and the folder of its ledger. */
async function findTrialToGuide(
  folder: string,
  manifest: RunManifest,
  beginning: string,
): Promise<Trial & { ledger: string }> {
  const plan = planFromManifest(manifest, await tryReadTasks(folder, manifest))
  const found = [...plan].filter(({ id }) => id.startsWith(beginning))
  const [trial] = found
  if (!trial || found.length > 1)
    throw new UserError({
      where: beginning,
      what: `${found.length === 0 ? 'no trial has' : `${found.length} trials have`} an id that starts with this`,
      fix: `bench state ${folder} lists trials that have begun.`,
    })
  const ledger = ledgerOf(folder, manifest, trial.cell.task)
  for (const { trial: ended } of recordedTrials(ledger))
    if (ended === trial.id)
      throw new UserError({
        where: trial.id,
        what: 'the trial has ended, so it takes no guidance',
        fix: 'Choose a trial that has not ended.',
      })
  return { ...trial, ledger }
}

/** Returns the states of a trial's machine that are still ahead; undefined where that is not known. */
function aheadOf(folder: string, trial: string, options: Readonly<Record<string, unknown>>) {
  const machine = Machine.safeParse(options.machine).data
  if (!machine) return undefined
  const steps = [...stepsOf(folder, trial, openBlobs(join(folder, 'blobs')))]
  const entered = steps.flatMap((step) => {
    const { state } = Object(step.kind === 'state' && step.state.machine) as { state?: string }
    return state !== undefined && Object.hasOwn(machine.states, state) ? [state] : []
  })
  const state = entered.at(-1)
  // A trial that waits at a checkpoint has not begun that state, so it still reads guidance for it.
  const hasBegun = state !== undefined && steps.at(-1)?.kind !== 'state'
  return statesAhead(machine, { state: state ?? initialState(machine), hasBegun }, new Set(entered))
}

/**
 * Returns the states that a method takes guidance for: those of its machine, or the names in its last journaled state. Empty: any
 * name. Undefined: it takes none.
 */
function guidedStates(
  folder: string,
  trial: string,
  options: Readonly<Record<string, unknown>>,
): string[] | undefined {
  const { states } = (options.machine ?? {}) as { states?: unknown }
  if (typeof states === 'object' && states !== null) return Object.keys(states)
  const last = lastState(folder, trial, openBlobs(join(folder, 'blobs')))
  return last && takesGuidance(last.state) ? Object.keys(last.state.guidance as object) : undefined
}
