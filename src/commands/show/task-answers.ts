import { join } from 'node:path'
import { ledgerOf } from '../../loop/join/blocks.ts'
import { openBlobs } from '../../loop/journal/blobs.ts'
import { stepsOf } from '../../loop/journal/ledger-index.ts'
import { readRecords } from '../../loop/record/records.ts'
import { indexFileContents } from '../../loop/replay/file-contents.ts'
import { type ExcerptSize, quoteText } from '../../reports/story/excerpt.ts'
import { type HandedIn, handedIn } from '../../reports/story/handed-in.ts'
import { safeLine } from '../../reports/words/safe-text.ts'
import { resultOf } from '../../reports/words/trial-text.ts'
import { rowName } from '../../schema/agent/agent-set.ts'
import type { TrialRecord } from '../../schema/ledger/record.ts'
import type { RunManifest } from '../../schema/run/run.ts'
import { tryReadTasks } from '../open/find-trial.ts'
import { rightAnswerData, rightAnswerText } from './right-answer.ts'
import { isShown, type TrialFilter } from './trial-filter.ts'

/** The trials of one task, each with what it handed in, and the task itself if it can still be read. */
async function givenOn(folder: string, manifest: RunManifest, filter: TrialFilter & { task: string }) {
  const task = (await tryReadTasks(folder, manifest)).get(filter.task)
  const ledger = ledgerOf(folder, manifest, filter.task)
  const blobs = openBlobs(join(ledger, 'blobs'))
  const trials = [...readRecords(ledger)]
    .filter((record) => isShown(record, filter))
    .map((record) => {
      const steps = [...stepsOf(ledger, record.trial, blobs)]
      return { record, given: handedIn(record, steps, indexFileContents(steps, task, blobs)) }
    })
  return { task, trials }
}

/** Returns what is right for one task of a run, read from the task now, if it may be shown, and below it what each method gave in each epoch. */
export async function taskAnswersText(
  folder: string,
  manifest: RunManifest,
  filter: TrialFilter & { task: string },
  { answers, ...size }: ExcerptSize & { answers: boolean },
): Promise<string> {
  const { task, trials } = await givenOn(folder, manifest, filter)
  // What passed is right, and reasons say what is.
  const given = trials.map((trial) =>
    answers ? givenText(trial, size.full ? size : { brief: true }) : resultText(trial.record),
  )
  const right = answers ? [rightAnswerText(task, manifest, size)] : []
  return [...right, ...(given.length > 0 ? ['Given', ...given] : [])].join('\n')
}

/** Returns the same as data: what is right, if it may be shown, and what was given by trial. */
export async function taskAnswersData(
  folder: string,
  manifest: RunManifest,
  filter: TrialFilter & { task: string },
  { answers }: { answers: boolean },
): Promise<{ right?: unknown; given: Readonly<Record<string, unknown>> }> {
  const { task, trials } = await givenOn(folder, manifest, filter)
  const given = trials.map(
    ({ record, given }) => [record.trial, given.answer ?? given.files ?? null] as const,
  )
  return {
    ...(answers && { right: rightAnswerData(task, manifest) }),
    given: answers ? Object.fromEntries(given) : {},
  }
}

const resultText = (record: TrialRecord) =>
  safeLine(`  ${rowName(record.method, record.agentSet)}, epoch ${record.epoch}: ${resultOf(record)}`)

function givenText({ record, given }: { record: TrialRecord; given: HandedIn }, size: ExcerptSize): string {
  const { method, agentSet, epoch, scores } = record
  const reasons = scores.map(({ reason }) => reason).filter((reason) => reason !== '')
  const heading = [`${rowName(method, agentSet)}, epoch ${epoch}: ${resultOf(record)}`, ...reasons].join('; ')
  // A runner of tests tells each test on a line of its own.
  const lines = heading.split('\n').map((line, i) => safeLine(`${i === 0 ? '  ' : '    '}${line}`))
  return [...lines, ...givenTexts(given, size)].join('\n')
}

function givenTexts({ answer, files }: HandedIn, size: ExcerptSize): string[] {
  const told = (text: string | null | undefined) =>
    text === undefined ? '    its text is not stored' : quoteText(text ?? '', '    ', size)
  if (answer !== null) return [told(answer)]
  if (files === undefined) return ['    files, which its story tells: bench show RUN TRIAL']
  if (files.length === 0) return ['    nothing']
  return files.flatMap(({ path, after }) =>
    after === null ? [safeLine(`    ${path}: deleted`)] : [safeLine(`    ${path}`), told(after)],
  )
}
