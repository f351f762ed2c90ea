import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { dollarMark } from '../../analysis/evidence.ts'
import { resumeCommand } from '../../loop/record/in-blocks.ts'
import { readRecords } from '../../loop/record/records.ts'
import { formats } from '../../reports/registry.ts'
import { leaderOf } from '../../reports/screen/first-screen.ts'
import { paidTwiceTexts } from '../../reports/words/bill-text.ts'
import { limitText } from '../../reports/words/limit-text.ts'
import { counted } from '../../reports/words/numbers.ts'
import { safeLine } from '../../reports/words/safe-text.ts'
import { shellWord } from '../../text/shell-word.ts'
import { shorten } from '../../text/shorten.ts'
import { raiseLimitFlag } from '../config/budget-options.ts'
import { askingTrial } from '../people/questions.ts'
import { printReport } from '../terminal/print-report.ts'
import { say } from '../terminal/say.ts'
import { terminalWidth } from '../terminal/terminal-width.ts'
import type { ExecutedRun } from './execute.ts'
import type { TrialNotes } from './trial-notes.ts'

/** Counts the trials of a run that ended in error. */
export function countErrors({ report }: ExecutedRun): number {
  return report.summary.methods.reduce((sum, { outcomes }) => sum + (outcomes.error ?? 0), 0)
}

/** Reports the limits that stopped something, were exceeded, or include calls without reported use. */
export function reportLimits({ end, manifest }: ExecutedRun): void {
  for (const limit of end.limits)
    if (limit.stopped || limit.over > 0 || limit.unreported > 0)
      say(safeLine(limitText(limit, dollarMark(manifest))))
}

/** Reports why a run stopped early and how to resume it, by `resume`; returns the exit code. */
export function reportStop(run: ExecutedRun, byPerson: boolean, resume = resumeCommand(run.folder)): number {
  const { done, trials, repeatedFailure, isLimitUnheld, limits, waiting, paused } = run.end
  if (repeatedFailure !== undefined && isLimitUnheld && !byPerson) {
    say(
      `stopped after ${done} of ${trials} trials: ${safeLine(repeatedFailure)}\nTo go on without that limit: ${resume} --allow-unpriced. To keep it, start a new run whose agents tell their tokens and have a price, or limit calls`,
    )
    return 1
  }
  if (repeatedFailure !== undefined && !byPerson) {
    say(
      `stopped after ${done} of ${trials} trials: ${safeLine(repeatedFailure)}\nFix the cause, then resume with: ${resume}${countErrors(run) > 0 ? ' --retry-errors' : ''}. To resume without a fix: ${resume} --keep-going`,
    )
    return 1
  }
  const stopped = limits.filter((limit) => limit.stopped)
  const byLimit = stopped.length > 0 && !byPerson
  const more = byLimit ? ` ${stopped.map(raiseLimitFlag).join(' ')}` : ''
  const forPerson = !byLimit && !byPerson && (waiting.length > 0 || paused)
  const what = byLimit ? 'stopped by a limit' : !forPerson ? 'interrupted' : paused ? 'paused' : 'stopped'
  if (waiting.length > 0) say(waitingText(waiting, run.folder))
  const { shard } = run.manifest
  const whole =
    byLimit && shard
      ? `\nLimits are for the whole run, of which this shard has 1/${shard.of} (not of time)`
      : ''
  say(`${what} after ${done} of ${trials} trials. Resume with: ${resume}${more}${whole}`)
  return byLimit ? 3 : forPerson ? 4 : 130
}

const mostListed = 20

/** Names the trials that wait for a person, with the commands that show and answer their questions. */
function waitingText(waiting: ExecutedRun['end']['waiting'], folder: string): string {
  const command = `bench approve ${shellWord(folder)}`
  const left = waiting.length - mostListed
  return [
    `${counted(waiting.length, 'trial')} ${waiting.length === 1 ? 'waits' : 'wait'} for a person. To see what they ask: ${command}`,
    ...waiting
      .slice(0, mostListed)
      .map((line) => `  ${askingTrial(line)}: ${safeLine(shorten(line.question, 100))}`),
    ...(left > 0 ? [`  … ${left} more`] : []),
    'To answer, with yes, abort, or what should change:',
    ...waiting.slice(0, mostListed).map(({ trial }) => `  ${command} ${trial.slice(0, 12)} yes`),
  ].join('\n')
}

/** Returns a run by its name in results/, unless a path of that name is another; else as its path. */
function shortName(folder: string): string {
  const [, name] = /^results\/([^/]+)$/.exec(folder) ?? []
  return name === undefined || existsSync(name) ? folder : name
}

/** Returns the beginning of the id of a trial worth a look: the first that did not pass, else the first. */
function trialToShow(folder: string): string | undefined {
  let first: string | undefined
  for (const { trial, passed } of readRecords(folder)) {
    first ??= trial
    if (passed === false) return trial.slice(0, 12)
  }
  return first?.slice(0, 12)
}

/** Says what a shard did. Its results are those of some tasks alone, so they are not shown. */
const shardText = ({ manifest: { shard }, end }: ExecutedRun) =>
  `shard ${shard?.index} of ${shard?.of} is whole, with ${counted(end.done, 'trial')}. When all are: bench runs join SHARD… --out RUN, then bench report RUN`

/** Prints the result to stdout, and notes about the run to stderr. */
export function reportResult(run: ExecutedRun, notes: TrialNotes, json: boolean): void {
  const { folder, manifest, end, report, held } = run
  if (end.settled && end.done < end.trials)
    say(`settled by the plan's stop rule after ${end.done} of ${end.trials} trials`)
  if (json) process.stdout.write(formats.json.render(report))
  else if (manifest.shard) say(shardText(run))
  else
    printReport(
      `${formats.text.render({ ...report, run: shortName(folder) }, { part: 'short', width: terminalWidth(), trial: trialToShow(folder) })}\n`,
      leaderOf(report),
    )
  if (report.verdicts !== null) say(safeLine(report.verdicts))
  for (const remark of notes.ofMethods()) say(remark)
  if (end.divergences > 0) say(`${counted(end.divergences, 'divergence')} from the journal; see above`)
  for (const text of paidTwiceTexts(report.summary)) say(text)
  for (const { text, value } of held) say(`--fail-if holds: ${text} (it is ${value})`)
  const errors = countErrors(run)
  if (errors > 0)
    say(
      `${counted(errors, 'trial')} ended in error, which counts as missing; see bench show ${folder}${manifest.recorded ? '' : `, or retry them: ${resumeCommand(folder)} --retry-errors`}`,
    )
  for (const error of notes.errors()) say(error)
  if (manifest.request) say(`output of each trial: ${folder}/artifacts/<trial>/`)
  if (existsSync(join(folder, 'workspaces'))) say(`kept workspaces: ${folder}/workspaces/<trial>/`)
  say(`run folder: ${folder}`)
}
