import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { openBlobs } from '../../loop/journal/blobs.ts'
import { verifyChecksum } from '../../loop/journal/checksum.ts'
import { unpackStep } from '../../loop/journal/journal.ts'
import { damagedLine, parseLine, stepRemedy } from '../../loop/journal/jsonl.ts'
import type { LineSpan } from '../../loop/journal/lines.ts'
import { runFiles } from '../../loop/journal/run-files.ts'
import { resumeCommand } from '../../loop/record/in-blocks.ts'
import { readGraphTraces } from '../../loop/record/workflow-events.ts'
import { indexFileContents } from '../../loop/replay/file-contents.ts'
import { handedIn } from '../../reports/story/handed-in.ts'
import { storyParts, unfinishedStory } from '../../reports/story/story.ts'
import { TrialRecord } from '../../schema/ledger/record.ts'
import { LedgerLine, type Step } from '../../schema/ledger/step.ts'
import { tryReadTasks } from '../open/find-trial.ts'
import { isAsInRun, rightAnswerText } from '../show/right-answer.ts'
import { headingOf } from '../show/show-trial.ts'
import type { ViewedRun } from './run-folders.ts'

/** Reads one line of a file by its place. A link is not followed. */
export async function readLine(path: string, { offset, length }: LineSpan): Promise<string> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW)
  try {
    const bytes = Buffer.alloc(length)
    await file.read(bytes, 0, length, offset)
    return bytes.toString()
  } finally {
    await file.close()
  }
}

/**
 * Reads a trial: its record, if it has ended, its story, what it handed in, and what is right. The latter is read from the task at this
 * moment, and only if the task is the one of the run. Throws `UserError` for damaged lines.
 */
export async function readTrial(run: ViewedRun, id: string, full: boolean) {
  const { folder, ledger, manifest, index } = run
  const blobs = openBlobs(join(ledger, 'blobs'))
  const head = index.heads.get(id)
  const record = head && (await readRecord(ledger, head))
  const steps: Step[] = []
  for (const place of index.steps.get(id) ?? []) {
    const path = join(ledger, runFiles.steps)
    const at = { where: `${path}:${place.number}`, remedy: stepRemedy }
    const text = await readLine(path, place)
    if (verifyChecksum(Buffer.from(text)) === 'invalid')
      throw damagedLine('was changed after it had been written: its checksum is wrong', at)
    const line = parseLine(text, LedgerLine, at)
    if (line.kind !== 'intent') steps.push(unpackStep(line, blobs))
  }
  const tasks = await tryReadTasks(folder, manifest)
  const heading = record ?? headingOf(id, manifest, tasks)
  const task = tasks.get(heading.task)
  const isSameTask = task !== undefined && isAsInRun(task, manifest)
  const contentOf = indexFileContents(steps, task, blobs)
  const input = {
    ...{ steps, full, capture: manifest.capture, sources: manifest.recorded, contentOf },
    traces: readGraphTraces(ledger, (one) => one === id).get(id) ?? [],
    ...(task && { title: task.spec.title, instruction: task.instruction }),
  }
  return {
    record,
    heading,
    right: isSameTask ? rightAnswerText(task, manifest, { full: true }) : null,
    rightIs: task === undefined ? 'gone' : isSameTask ? 'known' : 'changed',
    given: record && handedIn(record, steps, contentOf),
    parts: record
      ? storyParts({ record, ...input })
      : unfinishedStory({ heading, resume: resumeCommand(folder), ...input }).split('\n\n'),
  } as const
}

async function readRecord(folder: string, head: LineSpan): Promise<TrialRecord> {
  const path = join(folder, runFiles.records)
  const at = { where: `${path}:${head.number}`, remedy: 'Load the page again.' }
  return parseLine(await readLine(path, head), TrialRecord, at)
}
