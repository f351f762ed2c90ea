import { join } from 'node:path'
import { openBlobs } from '../loop/journal/blobs.ts'
import { journaledTrials } from '../loop/journal/ledger-index.ts'
import { verifyLedger } from '../loop/record/verify-ledger.ts'
import { lastState, lastStates, setState } from '../loop/replay/set-state.ts'
import { type Problem, UserError } from '../text/errors.ts'
import { findRunSecrets } from './config/run-secrets.ts'
import { openRun } from './open/open-run.ts'

/** `bench state RUN [TRIAL] [--set FIELD=JSON]`: reads the methods' journaled state, or sets it while the run is stopped. */
export default async function state(
  run: string,
  trial: string | undefined,
  options: { set: readonly string[] },
): Promise<number> {
  const { folder, manifest } = openRun(run)
  const { simulated, secrets = [] } = manifest
  // A state that is not the last one looks as good as the last.
  verifyLedger(folder)
  const blobs = openBlobs(join(folder, 'blobs'))
  if (trial === undefined) {
    if (options.set.length > 0)
      throw new UserError({
        where: '--set',
        what: 'needs a trial',
        fix: `Write bench state ${run} TRIAL --set …`,
      })
    for (const [id, last] of lastStates(folder))
      process.stdout.write(
        `${JSON.stringify({ trial: id, simulated, at: last.at, state: last.state, ...(last.set && { set: last.set }) })}\n`,
      )
    return 0
  }
  const found = journaledTrials(folder).filter((id) => id.startsWith(trial))
  const [id] = found
  if (id === undefined || found.length > 1)
    throw new UserError({
      where: trial,
      what: `${found.length === 0 ? 'no trial begins' : `${found.length} trials begin`} so`,
      fix: `See bench state ${run}.`,
    })
  const step =
    options.set.length > 0
      ? setState(folder, id, withoutSecrets(parseFields(options.set), secrets), blobs)
      : lastState(folder, id, blobs)
  if (!step)
    throw new UserError({
      where: id,
      what: 'has journaled no state',
      fix: 'Its method has not come to a checkpoint, or has none.',
    })
  process.stdout.write(`${JSON.stringify({ ...step.state, ...step.set }, null, 2)}\n`)
  if (options.set.length > 0)
    process.stderr.write(`the method takes this up when the run goes on: bench run --resume ${folder}\n`)
  return 0
}

/** What a person sets goes into the journal like what a method says. */
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
