import { join } from 'node:path'
import { state as stageState } from '../../strategies/tools/stage-state.ts'
import { stateWithPeople } from '../loop/effects/checkpoint.ts'
import { openBlobs } from '../loop/journal/blobs.ts'
import { journaledTrials } from '../loop/journal/ledger-index.ts'
import { resumeCommand } from '../loop/record/in-blocks.ts'
import { verifyLedger } from '../loop/record/verify-ledger.ts'
import { lastState, lastStates, setState } from '../loop/replay/set-state.ts'
import { type Problem, problemAt, UserError } from '../text/errors.ts'
import { findRunSecrets } from './config/run-secrets.ts'
import { openOwnRun } from './open/open-run.ts'

interface StateOptions {
  set: readonly string[]
  json?: boolean
}

/**
 * `bench state RUN [TRIAL] [--set FIELD=JSON]`: prints the journaled state of trials, or changes one while the run is stopped.
 * Inside a stage, `bench state [FIELD]`: its state file.
 */
export default async function state(
  run: string | undefined,
  trial: string | undefined,
  options: StateOptions,
): Promise<number> {
  if (process.env.BENCH_STATE) return await stateOfStage(run, trial, options)
  if (run === undefined)
    throw new UserError(problemAt('RUN', 'is missing', 'Name a run folder; bench runs lists them.'))
  if (options.json)
    throw new UserError(
      problemAt('--json', 'works inside a stage only', 'Remove it: the state of a run is printed as JSON.'),
    )
  return journaledState(run, trial, options)
}

async function stateOfStage(field: string | undefined, more: string | undefined, options: StateOptions) {
  if (more === undefined) return await stageState(field, options)
  throw new UserError({
    where: `state ${field} ${more}`,
    what: 'names two fields; inside a stage, bench state takes one',
    fix: 'For a run, unset BENCH_STATE.',
  })
}

function journaledState(run: string, trial: string | undefined, options: StateOptions): number {
  const { folder, manifest } = openOwnRun(run, 'steered')
  const { simulated, secrets = [] } = manifest
  // With a damaged ledger, an older state would be printed as the last one.
  verifyLedger(folder)
  const blobs = openBlobs(join(folder, 'blobs'))
  if (trial === undefined) {
    if (options.set.length > 0)
      throw new UserError(problemAt('--set', 'requires a trial', `Write bench state ${run} TRIAL --set …`))
    for (const [id, last] of lastStates(folder))
      process.stdout.write(
        `${JSON.stringify({ trial: id, simulated, at: last.at, state: last.state, ...(last.guidance && { guidance: last.guidance }), ...(last.set && { set: last.set }) })}\n`,
      )
    return 0
  }
  const found = journaledTrials(folder).filter((id) => id.startsWith(trial))
  const [id] = found
  if (id === undefined || found.length > 1)
    throw new UserError({
      where: trial,
      what: `${found.length === 0 ? 'no trial has' : `${found.length} trials have`} an id that starts with this`,
      fix: `bench state ${run} lists the trials.`,
    })
  const step =
    options.set.length > 0
      ? setState(folder, id, withoutSecrets(parseFields(options.set), secrets), blobs)
      : lastState(folder, id, blobs)
  if (!step)
    throw new UserError(
      problemAt(id, 'has no journaled state', 'Its method has not reached a checkpoint, or has none.'),
    )
  process.stdout.write(`${JSON.stringify(stateWithPeople(step.state, step), null, 2)}\n`)
  if (options.set.length > 0)
    process.stderr.write(`the method uses this state when the run is resumed: ${resumeCommand(folder)}\n`)
  return 0
}

/** Redacts the fields that a person sets, since they are written to the journal. */
function withoutSecrets<Fields>(fields: Fields, names: readonly string[]): Fields {
  const { redact } = findRunSecrets(names)
  return redact ? redact.data(fields) : fields
}

function parseFields(texts: readonly string[]): Record<string, unknown> {
  const problems: Problem[] = []
  const fields: Record<string, unknown> = {}
  for (const text of texts) {
    const at = text.indexOf('=')
    try {
      if (at < 1) throw new Error('no =')
      fields[text.slice(0, at)] = JSON.parse(text.slice(at + 1))
    } catch {
      problems.push({
        where: `--set ${text}`,
        what: 'is not FIELD=JSON',
        fix: 'Write for example --set \'limits={"maxOuter":2,"maxInner":3}\' or --set \'feedback="Handle negatives."\'.',
      })
    }
  }
  if (problems.length > 0) throw new UserError(problems)
  return fields
}
