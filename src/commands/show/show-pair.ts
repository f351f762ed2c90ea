import { join } from 'node:path'
import { ledgerOf } from '../../loop/join/blocks.ts'
import { openBlobs } from '../../loop/journal/blobs.ts'
import { stepsOf } from '../../loop/journal/ledger-index.ts'
import { splitMethods } from '../../loop/plan/method-text.ts'
import { readRecords } from '../../loop/record/records.ts'
import { indexFileContents } from '../../loop/replay/file-contents.ts'
import { handedIn } from '../../reports/story/handed-in.ts'
import { type EpochPair, pairStory } from '../../reports/story/pair-story.ts'
import { rowName } from '../../schema/agent/agent-set.ts'
import type { TrialRecord } from '../../schema/ledger/record.ts'
import type { RunManifest } from '../../schema/run/run.ts'
import { UserError } from '../../text/errors.ts'
import { shellWord } from '../../text/shell-word.ts'
import { tryReadTasks } from '../open/find-trial.ts'
import type { RunOfFolder } from '../open/open-run.ts'
import { rightAnswerData, rightAnswerText } from './right-answer.ts'
import { pairOf } from './show-json.ts'
import { findMethodName, findTaskName } from './trial-filter.ts'

/** Returns one task under two methods as text. Throws `UserError` unless the run has the task and both methods. */
export async function pairText(
  { folder, manifest }: RunOfFolder,
  {
    task: wanted,
    methods,
    full,
    answers,
    json,
  }: { task: string; methods: string; full: boolean; answers: boolean; json: boolean },
): Promise<string> {
  const run = shellWord(folder)
  const ref = findTaskName(wanted, manifest, run)
  const names = twoMethods(methods, manifest, run)
  const tasks = await tryReadTasks(folder, manifest)
  const task = tasks.get(ref)
  const ledger = ledgerOf(folder, manifest, ref)
  const blobs = openBlobs(join(ledger, 'blobs'))
  const epochs = epochPairs(ledger, ref, names)
  const data = answers ? rightAnswerData(task, manifest) : undefined
  const right = answers ? rightAnswerText(task, manifest, { full }) : undefined
  if (json) return `${JSON.stringify(pairOf(folder, { task: ref, names, right: data, epochs }), null, 2)}\n`
  return pairStory({
    ...{ run: folder, task: ref, names, full },
    ...(task && { title: task.spec.title, instruction: task.instruction }),
    ...(right !== undefined && { right }),
    epochs,
    handedInOf(record) {
      const steps = [...stepsOf(ledger, record.trial, blobs)]
      return handedIn(record, steps, indexFileContents(steps, task, blobs))
    },
  })
}

function twoMethods(methods: string, manifest: RunManifest, run: string): readonly [string, string] {
  const names = splitMethods(methods).map((name) =>
    findMethodName('--methods', name, manifest, { run, one: true }),
  )
  const [a, b] = names
  if (a === undefined || b === undefined || names.length > 2 || a === b)
    throw new UserError({
      where: `--methods ${methods}`,
      what:
        a !== undefined && a === b
          ? 'names one method twice'
          : `names ${names.length} method${names.length === 1 ? '' : 's'}`,
      fix: 'Name two methods of the run: --methods A,B.',
    })
  return [a, b]
}

function epochPairs(ledger: string, task: string, [a, b]: readonly [string, string]): EpochPair[] {
  const epochs = new Map<number, EpochPair>()
  const add = (side: 'a' | 'b', record: TrialRecord) => {
    const { epoch } = record
    epochs.set(epoch, { ...(epochs.get(epoch) ?? { epoch, a: undefined, b: undefined }), [side]: record })
  }
  for (const record of readRecords(ledger)) {
    if (record.task !== task) continue
    const name = rowName(record.method, record.agentSet)
    if (name === a) add('a', record)
    else if (name === b) add('b', record)
  }
  return [...epochs.values()].sort((x, y) => x.epoch - y.epoch)
}
