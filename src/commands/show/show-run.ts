import { ledgersOf, readAllRecords } from '../../loop/join/blocks.ts'
import { readAmendments } from '../../loop/record/amendments.ts'
import { resumeCommand } from '../../loop/record/in-blocks.ts'
import { isInUse } from '../../loop/record/lock.ts'
import { recordedTrials } from '../../loop/record/records.ts'
import { countCutOff, sumRunBill } from '../../loop/record/run-bill.ts'
import { readSessions } from '../../loop/record/sessions.ts'
import { missingSessionsNote, verifyLedger } from '../../loop/record/verify-ledger.ts'
import { runOverview } from '../../reports/run-overview.ts'
import { billText } from '../../reports/words/bill-text.ts'
import { counted } from '../../reports/words/numbers.ts'
import type { RunManifest } from '../../schema/run/run.ts'
import { shellWord } from '../../text/shell-word.ts'
import { waitingNote } from '../people/questions.ts'
import { reportNote } from '../terminal/report-error.ts'
import { print } from '../terminal/say.ts'
import type { ShowFlags } from './show-flags.ts'
import { printJson, trialsOf } from './show-json.ts'
import { taskAnswersData, taskAnswersText } from './task-answers.ts'
import { filterText, findMethodName, findTaskName, isShown, type TrialFilter } from './trial-filter.ts'

/** Prints the plan of a run and its trials, or those that the flags let pass. */
export async function showRun(folder: string, manifest: RunManifest, flags: ShowFlags): Promise<number> {
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
  reportNote(missingSessionsNote(folder, manifest))
  const { task } = filter
  const ofTask = task === undefined ? undefined : { ...filter, task }
  const { answers = true, full = false } = flags
  if (flags.json) {
    const given = ofTask && (await taskAnswersData(folder, manifest, ofTask, { answers }))
    printJson({ ...trialsOf(folder, manifest, filter), ...given })
    return 0
  }
  const ledgers = ledgersOf(folder)
  print(
    runOverview({
      ...{ manifest, records: readAllRecords(folder), sessions: ledgers.flatMap(readSessions), run: folder },
      resume: resumeCommand(folder),
      inBlocks: ledgers.slice(1).reduce((sum, block) => sum + [...recordedTrials(block)].length, 0),
      amendments: readAmendments(folder),
      ...(isFiltered && {
        filter: { text: filterText(filter), isShown: (record) => isShown(record, filter) },
      }),
    }),
  )
  if (ofTask) print(`\n${await taskAnswersText(folder, manifest, ofTask, { answers, full })}\n`)
  if (isFiltered || manifest.imported) return 0
  print(`\n${billText({ ...sumRunBill(...ledgers) }, cutOffText(folder))}`)
  reportNote(await waitingNote(folder))
  return 0
}

/** Says how many paid calls of a run that is not running have no result; undefined if all have one. */
export function cutOffText(folder: string): string | undefined {
  if (isInUse(folder)) return undefined
  const calls = ledgersOf(folder)
    .filter((ledger) => !isInUse(ledger))
    .reduce((sum, ledger) => sum + countCutOff(ledger), 0)
  if (calls === 0) return undefined
  return `${counted(calls, 'call')} ${calls === 1 ? 'was' : 'were'} cut off and ${calls === 1 ? 'has' : 'have'} no result; ${calls === 1 ? 'it' : 'they'} may have been paid`
}
