import type { RunEvent } from '../loop/branch/run-session.ts'
import type { AskPerson } from '../loop/record/people.ts'
import { safeText } from '../reports/words/safe-text.ts'
import type { ApprovalAnswer } from '../schema/ledger/approval.ts'
import type { WaitsLine } from '../schema/run/people.ts'
import { shellWord } from '../text/shell-word.ts'
import { findConfig } from './config/config-file.ts'
import type { RunOptions } from './config/run-options.ts'
import { createNotifier } from './notify/notifier.ts'
import { answerFix, answerProblem, askingTrial, parseAnswer, questionText } from './people/questions.ts'
import { readTypedLines } from './people/typed-lines.ts'
import { confirmCost, printEstimate } from './session/dry-run.ts'
import { type ExecutedRun, executeRun } from './session/execute.ts'
import { stepSummaryProblem } from './session/report-ci.ts'
import { collectTrialNotes, type TrialNotes } from './session/trial-notes.ts'
import { guardProcess } from './terminal/guard-process.ts'
import { createProgress } from './terminal/progress.ts'
import { reportNote } from './terminal/report-error.ts'

/** A run that has ended, and how. */
export interface EndedRun {
  /** The options, with the config file that was found. */
  asked: RunOptions
  executed: ExecutedRun
  notes: TrialNotes
  /** Whether a person or a signal stopped it. */
  byPerson: boolean
  /** Whether user code threw outside of every trial. */
  isBroken(): boolean
}

/**
 * Executes a run for a person at a terminal: shows progress, asks before it spends, asks the person where methods do, hears
 * signals, and tells whom `--notify` names. `report` prints the result and returns the exit code; `begun` hears the run folder.
 */
export async function runAtTerminal(
  options: RunOptions,
  report: (ended: EndedRun) => Promise<number>,
  begun: (folder: string) => void = () => {},
): Promise<number> {
  const progress = createProgress(process.stderr, options.quiet === true)
  const abort = new AbortController()
  const guard = guardProcess(abort, progress)
  const notes = collectTrialNotes()
  let folder = ''
  const person = isPersonThere() ? openPerson(progress.hold, () => folder) : undefined
  const onEvent = (event: RunEvent) => {
    if (event.type === 'start') {
      folder = event.folder
      guard.begun(folder)
      begun(folder)
    }
    if (event.type === 'trial') notes.add(event.record)
    progress.onEvent(event)
  }
  try {
    const found = options.resume === undefined ? (options.config ?? findConfig()) : options.config
    const asked = found === undefined ? options : { ...options, config: found }
    const notifier = createNotifier(asked, abort.signal)
    if (asked.dryRun) return await printEstimate(asked, abort.signal)
    reportNote(stepSummaryProblem(asked))
    await notifier.requireTrust()
    if (!(await confirmCost(asked, abort.signal))) return 130
    const coordinator = await coordinatorOf(asked)
    // Nobody can be asked where the workers are.
    const tools = coordinator ?? { askPerson: person?.ask }
    const executed = await executeRun(asked, { signal: abort.signal, onEvent, ...tools })
      .catch(async (error) => {
        progress.end()
        if (folder !== '') await notifier.tellFailure(folder, error)
        throw error
      })
      .finally(coordinator?.close)
    // Unhandled rejections are reported in the next iteration of the event loop.
    await new Promise((resolve) => setImmediate(resolve))
    progress.end()
    const byPerson = abort.signal.aborted
    const code = await report({ asked, executed, notes, byPerson, isBroken: () => guard.broken })
    await notifier.tellEnd(executed, { exitCode: code, byPerson })
    return code
  } catch (error) {
    // Stopped before there was a run, as while a server of tools started: nothing is left to say.
    if (!abort.signal.aborted || error !== abort.signal.reason) throw error
    return guard.broken ? 1 : 130
  } finally {
    person?.close()
    progress.end()
    guard.end()
  }
}

/** Returns who has workers do the run; undefined for a run that is done here. */
async function coordinatorOf(asked: RunOptions) {
  if (asked.queue === undefined && asked.share === undefined) return undefined
  return (await import('./queue/coordinate.ts')).openCoordinator(asked)
}

interface Person {
  ask: AskPerson
  close(): void
}

/** Whether a person can be asked: stdin and stderr are terminals. */
const isPersonThere = () => process.stdin.isTTY === true && process.stderr.isTTY === true

/**
 * Asks a person at the terminal, one question at a time. `hold` keeps other output off the screen meanwhile, and returns the
 * function that lets it through again. `folder` returns the run folder.
 */
function openPerson(hold: () => () => void, folder: () => string): Person {
  const lines = readTypedLines()
  let last: Promise<unknown> = Promise.resolve()
  const askNow = async (question: WaitsLine, signal: AbortSignal) => {
    signal.throwIfAborted()
    const release = hold()
    try {
      await lines.drop(signal)
      return await dialogue(question, folder(), () => lines.next(signal))
    } finally {
      release()
    }
  }
  return {
    ask(question, signal) {
      const answer = last.then(() => askNow(question, signal))
      last = answer.catch(() => {})
      return answer
    },
    close: lines.close,
  }
}

async function dialogue(
  question: WaitsLine,
  folder: string,
  next: () => Promise<string | undefined>,
): Promise<ApprovalAnswer | undefined> {
  const say = (text: string) => void process.stderr.write(text)
  say(`\nTrial ${askingTrial(question)} asks:\n\n${questionText(question, folder)}\n`)
  for (;;) {
    say('Answer yes, abort, or what should change: ')
    const line = await next()
    if (line === undefined) {
      say('\nno answer: the trial waits\n')
      return undefined
    }
    const answer = parseAnswer(line)
    if (isCut(line)) say(`${cutText(question, folder)}\n`)
    else if (answer) return answer
    else if (line.trim() !== '') say(`${safeText(answerProblem(line) ?? '')}. ${answerFix}\n`)
  }
}

/** Most bytes of a line that a terminal of Linux hands on. */
const longestLine = 4095

const isCut = (text: string) => text.split('\n').some((line) => Buffer.byteLength(line) >= longestLine)

const cutText = ({ trial }: WaitsLine, folder: string) =>
  `The answer was not taken: the terminal cuts a line after 4,095 bytes. Write shorter lines, or press Ctrl-D and use: ` +
  `bench approve ${shellWord(folder)} ${trial.slice(0, 12)} "$(cat FILE)"`
