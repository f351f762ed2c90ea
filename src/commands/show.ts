import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { openBlobs } from '../loop/journal/blobs.ts'
import { stepsOf } from '../loop/journal/ledger-index.ts'
import { readAmendments } from '../loop/record/amendments.ts'
import { holderState, lockPath, parseHolder, readLock } from '../loop/record/lock.ts'
import { readPeople } from '../loop/record/people-file.ts'
import { readRecords } from '../loop/record/records.ts'
import { countCutOff, sumRunBill } from '../loop/record/run-bill.ts'
import { readSessions } from '../loop/record/sessions.ts'
import { findBrokenTrials, missingSessionsNote, verifyLedger } from '../loop/record/verify-ledger.ts'
import { readGraphTraces } from '../loop/record/workflow-events.ts'
import { indexFileContents } from '../loop/replay/file-contents.ts'
import { branchOf } from '../loop/work/kept-files.ts'
import { runOverview } from '../reports/run-overview.ts'
import { type TrialHeading, trialStory, unfinishedStory } from '../reports/story/story.ts'
import { billText } from '../reports/words/bill-text.ts'
import { counted, unknown } from '../reports/words/numbers.ts'
import type { TrialRecord } from '../schema/ledger/record.ts'
import type { RunManifest } from '../schema/run/run.ts'
import type { Task } from '../schema/task.ts'
import { formatProblem } from '../text/errors.ts'
import { shellWord } from '../text/shell-word.ts'
import { planFromManifest } from './open/create-session.ts'
import { findOpenTrial, findTrial, tryReadTasks } from './open/find-trial.ts'
import { openRun } from './open/open-run.ts'
import { askedTrials } from './people/questions.ts'
import { type ShowFlags, viewOf } from './show/show-flags.ts'
import { filterText, findMethodName, findTaskName, isShown, type TrialFilter } from './show/trial-filter.ts'
import { reportNote } from './terminal/report-error.ts'
import { print } from './terminal/say.ts'

/**
 * `bench show RUN [TRIAL]`: shows the plan of a run and the outcome of each trial, or the story of one trial. `--failed`,
 * `--method` and `--task` filter the trials; `--task T --methods A,B` shows one task under two methods. With `--transitions`,
 * `--breaks` or `--tokens` it prints these tables of the run or the trial instead.
 */
export default async function show(
  run: string,
  trial: string | undefined,
  options: ShowFlags,
): Promise<number> {
  const view = viewOf(trial, options)
  const { folder, manifest } = openRun(run)
  if (view === 'tables') {
    verifyLedger(folder)
    const { workflowText } = await import('./show/show-workflow.ts')
    const id =
      trial === undefined ? undefined : (findOpenTrial(folder, trial) ?? findTrial(folder, trial).trial)
    process.stdout.write(await workflowText({ folder, manifest, trial: id }, options))
    return 0
  }
  if (view === 'pair') {
    verifyLedger(folder)
    const { pairText } = await import('./show/show-pair.ts')
    const { task = '', methods = '', full = false } = options
    process.stdout.write(await pairText({ folder, manifest }, { task, methods, full }))
    return 0
  }
  if (trial === undefined) return showRun(folder, manifest, options)
  return showTrial(folder, manifest, { trial, full: options.full === true })
}

async function showRun(folder: string, manifest: RunManifest, flags: ShowFlags): Promise<number> {
  const name = shellWord(folder)
  const filter: TrialFilter = {
    failed: flags.failed,
    task: flags.task === undefined ? undefined : findTaskName(flags.task, manifest, name),
    method:
      flags.method === undefined
        ? undefined
        : findMethodName('--method', flags.method, manifest, { run: name }),
  }
  const isFiltered = Object.values(filter).some((value) => value !== undefined)
  verifyLedger(folder)
  reportNote(missingSessionsNote(folder))
  print(
    runOverview({
      ...{ manifest, records: readRecords(folder), sessions: readSessions(folder), run: folder },
      amendments: readAmendments(folder),
      ...(isFiltered && {
        filter: { text: filterText(filter), isShown: (record) => isShown(record, filter) },
      }),
    }),
  )
  if (isFiltered) return 0
  print(`\n${billText({ ...sumRunBill(folder) }, cutOffText(folder))}`)
  reportNote(await waitingNote(folder))
  return 0
}

async function showTrial(
  folder: string,
  manifest: RunManifest,
  { trial, full }: { trial: string; full: boolean },
): Promise<number> {
  const blobs = openBlobs(join(folder, 'blobs'))
  const tasks = await tryReadTasks(folder, manifest)
  const open = findOpenTrial(folder, trial)
  const record = open === undefined ? findTrial(folder, trial) : undefined
  const heading = record ?? headingOf(open ?? trial, manifest, tasks)
  const broken = findBrokenTrials(folder).get(heading.trial)
  reportNote(broken && formatProblem(broken))
  const steps = [...stepsOf(folder, heading.trial, blobs)]
  const task = tasks.get(heading.task)
  const input = {
    steps,
    full,
    capture: manifest.capture,
    traces: readGraphTraces(folder, (id) => id === heading.trial).get(heading.trial) ?? [],
    contentOf: indexFileContents(steps, task, blobs),
    ...(task && { title: task.spec.title, instruction: task.instruction }),
  }
  const text = record
    ? trialStory({ record, ...input }) + keptWorkspaceText(folder, record)
    : unfinishedStory({ heading, run: folder, ...input })
  process.stdout.write(text)
  return 0
}

async function waitingNote(folder: string): Promise<string | undefined> {
  const waiting = askedTrials(folder, await readPeople(folder)).filter(({ state }) => state === 'waits')
  return waiting.length === 0
    ? undefined
    : `${counted(waiting.length, 'trial')} of this run asked a person and did not go on yet: bench approve ${shellWord(folder)}`
}

/** Returns the heading of a trial without a record, from the plan. */
function headingOf(id: string, manifest: RunManifest, tasks: ReadonlyMap<string, Task>): TrialHeading {
  const { simulated } = manifest
  const trial = [...planFromManifest(manifest, tasks)].find((one) => one.id === id)
  return {
    trial: id,
    task: trial?.cell.task ?? unknown,
    method: trial?.cell.method.label ?? unknown,
    epoch: trial?.epoch ?? 1,
    agents: trial?.cell.agents ?? manifest.agents,
    ...(trial?.cell.agentSet !== undefined && { agentSet: trial.cell.agentSet }),
    simulated,
    profile: manifest.profile?.id ?? null,
  }
}

/** Says how many paid calls of a run that is not running have no result; undefined if all have one. */
export function cutOffText(folder: string): string | undefined {
  if (isRunning(folder)) return undefined
  const calls = countCutOff(folder)
  if (calls === 0) return undefined
  return `${counted(calls, 'call')} ${calls === 1 ? 'was' : 'were'} cut off and ${calls === 1 ? 'has' : 'have'} no result; ${calls === 1 ? 'it' : 'they'} may have been paid`
}

/** A process of another machine may be at work, too. */
function isRunning(folder: string): boolean {
  const holder = parseHolder(readLock(lockPath(folder)))
  return holder !== undefined && holderState(holder) !== 'ended'
}

/** Says where a trial's workspace is kept and which command shows its changes; nothing if it is not kept. */
export function keptWorkspaceText(folder: string, record: TrialRecord): string {
  const place = join(folder, 'workspaces', record.trial)
  if (!existsSync(place)) return ''
  const repository = shellWord(join(place, 'repository'))
  return `\nworkspace: ${join(place, 'files')}\nchanges: git --git-dir=${repository} diff start ${branchOf(record)}\n`
}
