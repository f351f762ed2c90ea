import type { Agent } from '../agents/agent.ts'
import type { Session } from '../loop/branch/run-session.ts'
import { unjoinedNote } from '../loop/join/unjoined.ts'
import { replayRun } from '../loop/replay/replay.ts'
import { counted } from '../reports/words/numbers.ts'
import { type Problem, UserError } from '../text/errors.ts'
import { findTrial } from './open/find-trial.ts'
import { reopenRun } from './open/reopen.ts'
import { requireSandbox, selectSandbox } from './open/sandbox-option.ts'
import { guardProcess } from './terminal/guard-process.ts'
import { reportNote } from './terminal/report-error.ts'
import { parseWholeNumber } from './values/parse-values.ts'

/** `bench replay RUN [TRIAL]`: replays trials from the journal. Exit code 1 if anything diverges, 130 if interrupted. Trials of an earlier plan of the run that cannot be replayed are listed; they do not diverge. */
export default async function replay(
  run: string,
  trial: string | undefined,
  options: {
    regrade?: boolean
    allowUnsandboxed?: boolean
    times: string
    json?: boolean
    trustCode?: boolean
  },
): Promise<number> {
  const problems: Problem[] = []
  if (options.allowUnsandboxed && !options.regrade)
    problems.push({
      where: '--allow-unsandboxed',
      what: 'requires --regrade: a plain replay runs no code',
      fix: 'Leave it out, or add --regrade.',
    })
  const times = parseWholeNumber(problems, '--times', options.times, 1)
  if (problems.length > 0) throw new UserError(problems)
  const sandbox = selectSandbox(problems, options)
  const abort = new AbortController()
  const digests = new Set<string>()
  const divergences = new Set<string>()
  const changed = new Set<string>()
  let trials = 0
  // A replay runs the methods again, and some are the user's own code.
  const guard = guardProcess(abort)
  try {
    const { session } = await reopenRun(run, {
      sandbox,
      prefer: 'here',
      trusted: options.trustCode === true,
      signal: abort.signal,
      onWarning: (message) => process.stderr.write(`note: ${message}\n`),
    })
    reportNote(unjoinedNote(session.folder))
    if (options.regrade) {
      const regraded = { agents: writersOf(session), tasks: session.tasks.values() }
      for (const note of (await requireSandbox(sandbox, regraded)).notes) reportNote(note)
    }
    const only = trial === undefined ? undefined : findTrial(session.folder, trial)
    for (let i = 0; i < times; i++) {
      // Signals are only handled between replays.
      await new Promise((resolve) => setImmediate(resolve))
      const end = await replayRun(session, {
        ...(only !== undefined && { only }),
        ...(options.regrade && { regrade: true }),
        signal: abort.signal,
      })
      digests.add(end.digest)
      for (const message of end.divergences) divergences.add(message)
      for (const message of end.changed) changed.add(message)
      trials = end.trials
    }
  } catch (error) {
    if (!abort.signal.aborted) throw error
    return guard.broken ? 1 : 130
  } finally {
    guard.end()
  }
  const [because] = changed
  if (trial !== undefined && because !== undefined)
    throw new UserError({
      where: run,
      what: because,
      fix: 'Restore the task or the method as it was when the trial ran, or replay the other trials.',
    })
  if (digests.size > 1) divergences.add(`the ${times} replays gave ${digests.size} different results`)
  const result = {
    ...{ trials, times, divergences: [...divergences], digests: [...digests] },
    ...(changed.size > 0 && { changed: [...changed] }),
  }
  process.stdout.write(options.json ? `${JSON.stringify(result, null, 2)}\n` : resultText(result, options))
  return divergences.size === 0 && !guard.broken ? 0 : 1
}

function resultText(
  {
    trials,
    times,
    divergences,
    digests,
    changed = [],
  }: { trials: number; times: number; divergences: string[]; digests: string[]; changed?: string[] },
  { regrade }: { regrade?: boolean },
): string {
  const kind = regrade ? 'replayed and graded again' : 'replayed from the journal'
  const often = times > 1 ? `, ${times} times` : ''
  const count = divergences.length === 0 ? 'no divergence' : counted(divergences.length, 'divergence')
  const short = digests.map((digest) => digest.slice(0, 16)).join(', ')
  const left = changed.length > 0 ? `; ${counted(changed.length, 'trial')} could not be replayed` : ''
  return [
    ...changed,
    ...divergences,
    `${counted(trials, 'trial')} ${kind}${often}: ${count} (${short})${left}`,
  ]
    .map((line) => `${line}\n`)
    .join('')
}

/** Returns the agents whose code is graded again. A replay starts no programs, so they do not count as programs here. */
const writersOf = ({ uniqueAgents }: Session): Agent[] =>
  uniqueAgents.map(({ isProgram: _, ...agent }) => agent)
