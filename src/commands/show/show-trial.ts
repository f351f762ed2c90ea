import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { openBlobs } from '../../loop/journal/blobs.ts'
import { stepsOf } from '../../loop/journal/ledger-index.ts'
import { resumeCommand } from '../../loop/record/in-blocks.ts'
import { findBrokenTrials } from '../../loop/record/verify-ledger.ts'
import { readGraphTraces } from '../../loop/record/workflow-events.ts'
import { indexFileContents } from '../../loop/replay/file-contents.ts'
import { branchOf } from '../../loop/work/kept-files.ts'
import { type TrialHeading, trialStory, unfinishedStory } from '../../reports/story/story.ts'
import { unknown } from '../../reports/words/numbers.ts'
import type { TrialRecord } from '../../schema/ledger/record.ts'
import type { RunManifest } from '../../schema/run/run.ts'
import { formatProblem } from '../../text/errors.ts'
import { shellWord } from '../../text/shell-word.ts'
import { planFromManifest } from '../open/create-session.ts'
import { findBegunTrial, tryReadTasks } from '../open/find-trial.ts'
import { reportNote } from '../terminal/report-error.ts'
import { rightAnswerData, rightAnswerText, withoutReasons } from './right-answer.ts'
import { inShort, printJson } from './show-json.ts'

/** Prints the story of one trial, which may not have ended. */
export async function showTrial(
  folder: string,
  manifest: RunManifest,
  { trial, full, answers, json }: { trial: string; full: boolean; answers: boolean; json: boolean },
): Promise<number> {
  const tasks = await tryReadTasks(folder, manifest)
  const { trial: id, ledger, record } = findBegunTrial(folder, trial)
  const blobs = openBlobs(join(ledger, 'blobs'))
  const heading = record ?? headingOf(id, manifest, tasks)
  const broken = findBrokenTrials(ledger).get(id)
  reportNote(broken && formatProblem(broken))
  const steps = [...stepsOf(ledger, id, blobs)]
  const task = tasks.get(heading.task)
  if (json) {
    const right = answers ? rightAnswerData(task, manifest) : undefined
    const isLeftOut = !full && Object.values(manifest.capture ?? {}).includes(false)
    if (isLeftOut) reportNote('capture of this run leaves texts out of exports: --full adds the steps')
    const told = isLeftOut ? { ...(record ? inShort(record) : heading), steps: null } : { ...heading, steps }
    printJson({ run: folder, ended: record !== undefined, right, ...told })
    return 0
  }
  const input = {
    steps,
    full,
    capture: manifest.capture,
    sources: manifest.recorded,
    traces: readGraphTraces(ledger, (one) => one === id).get(id) ?? [],
    contentOf: indexFileContents(steps, task, blobs),
    ...(task && { title: task.spec.title, instruction: task.instruction }),
  }
  const text = record
    ? trialStory({
        ...input,
        ...(answers
          ? { record, right: rightAnswerText(task, manifest, { full }) }
          : withoutReasons(record, steps)),
      }) + keptWorkspaceText(ledger, record)
    : unfinishedStory({ heading, resume: resumeCommand(folder), ...input })
  process.stdout.write(text)
  return 0
}

/** Returns the heading of a trial without a record, from the plan. */
export function headingOf(
  id: string,
  manifest: RunManifest,
  tasks: Awaited<ReturnType<typeof tryReadTasks>>,
): TrialHeading {
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
    ...(manifest.recorded && { recorded: true as const }),
    profile: manifest.profile?.id ?? null,
  }
}

/** Says where a trial's workspace is kept and which command shows its changes; nothing if it is not kept. */
function keptWorkspaceText(folder: string, record: TrialRecord): string {
  const place = join(folder, 'workspaces', record.trial)
  if (!existsSync(place)) return ''
  const repository = shellWord(join(place, 'repository'))
  return `\nworkspace: ${join(place, 'files')}\nchanges: git --git-dir=${repository} diff start ${branchOf(record)}\n`
}
