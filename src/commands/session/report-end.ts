import type { WorkEnd } from '../../loop/work/work.ts'
import { formats } from '../../reports/registry.ts'
import { limitText } from '../../reports/words/limit-text.ts'
import { safeLine } from '../../reports/words/safe-text.ts'
import { shellWord } from '../../text/shell-word.ts'
import { raised } from '../config/budget-options.ts'
import type { ExecutedRun } from './execute.ts'
import type { TrialNotes } from './trial-notes.ts'

/** Trials of a run that ended in error. */
export function countErrors({ report }: ExecutedRun): number {
  return report.summary.methods.reduce((sum, { outcomes }) => sum + (outcomes.error ?? 0), 0)
}

/** The limits that stopped something, were passed, or were counted with calls that reported nothing. */
export function reportLimits({ limits }: WorkEnd): void {
  for (const limit of limits)
    if (limit.stopped || limit.over > 0 || limit.unreported > 0) say(safeLine(limitText(limit)))
}

/** How a run goes on that was stopped before it was whole; gives the exit code. */
export function reportStop(run: ExecutedRun, byPerson: boolean): number {
  const { done, trials, inVain, limits } = run.end
  const goOn = `bench run --resume ${shellWord(run.folder)}`
  if (inVain !== undefined && !byPerson) {
    say(
      `stopped after ${done} of ${trials} trials: ${safeLine(inVain)}\nPut it right, then go on with: ${goOn}${countErrors(run) > 0 ? ' --retry-errors' : ''}. To go on as it is: ${goOn} --keep-going`,
    )
    return 1
  }
  const stopped = limits.filter((limit) => limit.stopped)
  const byLimit = stopped.length > 0 && !byPerson
  const more = byLimit ? ` ${stopped.map(raised).join(' ')}` : ''
  say(
    `${byLimit ? 'stopped by a limit' : 'interrupted'} after ${done} of ${trials} trials. Go on with: ${goOn}${more}`,
  )
  return byLimit ? 3 : 130
}

/** The result to stdout, and what else there is to know of the run to stderr. */
export function reportResult(run: ExecutedRun, notes: TrialNotes, json: boolean): void {
  const { folder, manifest, end, report, held } = run
  if (end.settled && end.done < end.trials)
    say(`settled by the rule of the plan after ${end.done} of ${end.trials} trials`)
  process.stdout.write(
    json ? formats.json.render(report) : `${formats.text.render(report, { part: 'short' })}\n`,
  )
  for (const remark of notes.ofMethods()) say(remark)
  if (end.divergences > 0) say(`${end.divergences} divergence(s) from the journal; see above`)
  if (end.maybePaid > 0) say(`${end.maybePaid} call(s) may have been paid twice; see above`)
  for (const { text, value } of held) say(`--fail-if holds: ${text} (it is ${value})`)
  const errors = countErrors(run)
  if (errors > 0)
    say(
      `${errors} trial(s) ended in error and count as missing; see bench show ${folder}, or run them again: bench run --resume ${folder} --retry-errors`,
    )
  const firstError = notes.firstError()
  if (firstError !== undefined) say(firstError)
  if (manifest.request) say(`what each trial made: ${folder}/artifacts/<trial>/`)
  say(`run folder: ${folder}`)
}

function say(text: string): void {
  process.stderr.write(`${text}\n`)
}
