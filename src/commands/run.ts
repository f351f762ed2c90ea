import type { RunEvent } from '../loop/events.ts'
import { limitText } from '../reports/limit-text.ts'
import { shellWord } from '../reports/notes.ts'
import { reasonText } from '../reports/reason-text.ts'
import { formats } from '../reports/registry.ts'
import { safeLine } from '../reports/safe-text.ts'
import { shorten } from '../shorten.ts'
import { raised } from './budget-options.ts'
import { foundConfig } from './config-file.ts'
import { isConfirmed, printEstimate } from './dry-run.ts'
import { executeRun } from './execute.ts'
import { guardProcess } from './guard-process.ts'
import { createProgress } from './progress.ts'
import type { RunOptions } from './run-options.ts'
import { summaryFault, tellCi } from './tell-ci.ts'
import { tellNote } from './tell-note.ts'

/**
 * `bench run`: progress to stderr, the table to stdout. Exit code 0, 1 (`--fail-if`, or trials in error), 3 when a limit of
 * the run or of a method stopped it, 130 when interrupted.
 */
export default async function run(options: RunOptions): Promise<number> {
  const progress = createProgress(process.stderr, options.quiet === true)
  const abort = new AbortController()
  const failures = new Map<string, { count: number; reason: string }>()
  let firstError: string | undefined
  const unused = new Map<string, { count: number; first: string }>()
  const guard = guardProcess(abort, progress)
  const onEvent = (event: RunEvent) => {
    if (event.type === 'trial' && event.record.outcome.status === 'failed') {
      const { method } = event.record
      const told = failures.get(method)
      if (told) told.count++
      else failures.set(method, { count: 1, reason: reasonText(event.record) })
    }
    if (event.type === 'trial' && event.record.outcome.status === 'error')
      firstError ??= event.record.outcome.reason
    if (event.type === 'trial' && event.record.unused) {
      const { method, trial, unused: all } = event.record
      const told = unused.get(method)
      if (told) told.count++
      else unused.set(method, { count: 1, first: `${all[0]}; see bench show RUN ${trial.slice(0, 12)}` })
    }
    if (event.type === 'start') guard.begun(event.folder)
    progress.onEvent(event)
  }
  try {
    const found = options.resume === undefined ? (options.config ?? foundConfig()) : options.config
    const asked = found === undefined ? options : { ...options, config: found }
    if (asked.dryRun) return await printEstimate(asked, abort.signal)
    tellNote(summaryFault(asked))
    if (!(await isConfirmed(asked, abort.signal))) return 130
    const { folder, manifest, end, report, held } = await executeRun(asked, {
      signal: abort.signal,
      onEvent,
    })
    // Rejections that nobody awaits are told a turn later.
    await new Promise((resolve) => setImmediate(resolve))
    progress.end()
    const unwritten = await tellCi(asked, { folder, manifest, report, held })
    const errors = report.summary.methods.reduce((sum, { outcomes }) => sum + (outcomes.error ?? 0), 0)
    const stopped = end.limits.filter((limit) => limit.stopped)
    for (const limit of end.limits)
      if (limit.stopped || limit.over > 0 || limit.unreported > 0)
        process.stderr.write(`${safeLine(limitText(limit))}\n`)
    if (end.interrupted) {
      if (end.inVain !== undefined && !abort.signal.aborted) {
        const goOn = `bench run --resume ${shellWord(folder)}`
        process.stderr.write(
          `stopped after ${end.done} of ${end.trials} trials: ${safeLine(end.inVain)}\nPut it right, then go on with: ${goOn}${errors > 0 ? ' --retry-errors' : ''}. To go on as it is: ${goOn} --keep-going\n`,
        )
        return 1
      }
      const byLimit = stopped.length > 0 && !abort.signal.aborted
      const more = byLimit ? ` ${stopped.map(raised).join(' ')}` : ''
      process.stderr.write(
        `${byLimit ? 'stopped by a limit' : 'interrupted'} after ${end.done} of ${end.trials} trials. Go on with: bench run --resume ${shellWord(folder)}${more}\n`,
      )
      if (guard.broken) return 1
      return byLimit ? 3 : 130
    }
    if (end.settled && end.done < end.trials)
      process.stderr.write(`settled by the rule of the plan after ${end.done} of ${end.trials} trials\n`)
    process.stdout.write(
      options.json ? formats.json.render(report) : `${formats.text.render(report, { part: 'short' })}\n`,
    )
    for (const [method, { count, reason }] of failures)
      process.stderr.write(
        `${count} trial(s) of ${safeLine(method)} ended as failed, the first because ${safeLine(reason)}\n`,
      )
    for (const [method, { count, first }] of unused)
      process.stderr.write(
        `${count} trial(s) of ${safeLine(method)} left something unused, the first: ${safeLine(first)}\n`,
      )
    if (end.divergences > 0)
      process.stderr.write(`${end.divergences} divergence(s) from the journal; see above\n`)
    if (end.maybePaid > 0)
      process.stderr.write(`${end.maybePaid} call(s) may have been paid twice; see above\n`)
    for (const { text, value } of held) process.stderr.write(`--fail-if holds: ${text} (it is ${value})\n`)
    if (errors > 0)
      process.stderr.write(
        `${errors} trial(s) ended in error and count as missing; see bench show ${folder}, or run them again: bench run --resume ${folder} --retry-errors\n`,
      )
    if (firstError !== undefined) process.stderr.write(`the first error: ${safeLine(shorten(firstError))}\n`)
    if (manifest.request) process.stderr.write(`what each trial made: ${folder}/artifacts/<trial>/\n`)
    process.stderr.write(`run folder: ${folder}\n`)
    return held.length > 0 || errors > 0 || guard.broken ? 1 : unwritten
  } finally {
    progress.end()
    guard.end()
  }
}
