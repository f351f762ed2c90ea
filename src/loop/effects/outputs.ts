import { wellFormedText } from '../../replies/clean-data.ts'
import { outputPathProblem, sizeLimits } from '../../sandbox/folders/paths.ts'
import type { Capture } from '../../schema/run/run.ts'
import type { Outputs, Spent } from '../../strategy.ts'
import { mayWrite } from '../branch/begin-effect.ts'
import { checkText } from '../branch/check-result.ts'
import { isInterrupted } from '../branch/recorded-steps.ts'
import { clashingOutput, outputKey, outputsIn, type Sharing } from '../branch/shared.ts'
import { type Branch, type TrialState, withheldText } from '../branch/trial-state.ts'
import { type Bill, roundedSum } from '../budget/spending.ts'

/** Most outputs of a trial: each write looks at all of them. */
const mostOutputs = 1000

/** Returns the files that a method keeps beside its workspace, as a branch sees them. */
export function outputsOf(branch: Branch): Outputs {
  const { redact } = branch.trialState.run
  return sharedOutputs(
    branch,
    () => mayWrite(branch, 'outputs.write()'),
    (text) => (redact ? redact.text(text) : text),
  )
}

/** Returns outputs over what a branch shares. `mayWrite` says whether it may write now; `clean` removes secrets. */
export function sharedOutputs(
  branch: Sharing,
  mayWrite: () => boolean,
  clean: (text: string) => string,
): Outputs {
  return {
    write(path, text, kind) {
      if (!mayWrite()) return
      checkText('outputs.write(): the path', path)
      checkText(`outputs.write(): the text of ${path}`, text)
      writeOutput(branch, clean(path), { text: wellFormedText(clean(text)), kind })
    },
    read(path) {
      const part = typeof path === 'string' ? branch.state.shared.get(outputKey(clean(path))) : undefined
      return part && 'text' in part ? part.text : undefined
    },
    list: () => [...outputsIn(branch.state.shared).keys()].sort(),
  }
}

function writeOutput(
  branch: Sharing,
  path: string,
  output: { text: string; kind: 'summary' | undefined },
): void {
  const { state } = branch
  const problem = problemOf(branch, path, output.text)
  if (problem) throw new Error(`[strategy] outputs.write(): ${problem}`)
  state.shared = new Map(state.shared).set(outputKey(path), { ...output, by: branch.path })
  branch.onShared?.()
}

function problemOf({ state: { shared } }: Sharing, path: string, text: string): string | undefined {
  const name = `the path ${JSON.stringify(path.slice(0, 200))}`
  if (path === '' || path.startsWith('/') || /^[a-z]:/i.test(path) || path.split('/').includes('..'))
    return `${name} must be relative, with / between names and without "..", such as drafts/writer.md.`
  const problem = outputPathProblem(path)
  if (problem) return `${name} ${problem}.`
  const clash = clashingOutput(shared, path)
  if (clash !== undefined)
    return `${name} cannot stand beside the output ${JSON.stringify(clash)}: one is a folder of the other, or they differ in case alone.`
  const bytes = Buffer.byteLength(text)
  if (bytes > sizeLimits.fileBytes)
    return `${name} gets ${bytes} bytes; ${sizeLimits.fileBytes} are the most that an output may have.`
  const others = outputsIn(shared)
  others.delete(path)
  if (others.size >= mostOutputs) return `${name} is one more than the ${mostOutputs} that a trial may have.`
  const sum = [...others.values()].reduce((sum, { text }) => sum + Buffer.byteLength(text), bytes)
  if (sum > sizeLimits.bytes)
    return `with ${name} the trial's outputs have ${sum} bytes; ${sizeLimits.bytes} are the most.`
  return undefined
}

/**
 * Writes the outputs that all branches can see, and that are new, to the run folder. A branch's are written when it has ended:
 * before that, a conflict or a lost `first` may drop them. Never throws: after an error of the disk the trial is interrupted.
 */
export function saveOutputs(trialState: TrialState): void {
  const { run, root, plan, bill } = trialState
  const { savedOutputs, secret } = trialState.journal
  // What is written after an interrupt could be a result of it; the next session writes the right text.
  if (!run.journal || isInterrupted(trialState)) return
  for (const [path, output] of outputsIn(root.state.shared)) {
    if (savedOutputs.get(path) === output || !isKept(run.capture, output.kind)) continue
    try {
      run.journal.outputs.write(plan.trial.id, path, secret ? withheldText : output.text, {
        durable: bill.paid,
      })
    } catch {
      // The session has been told, and ends with the error.
      trialState.phase = 'stopped'
      return
    }
    savedOutputs.set(path, output)
  }
}

const isKept = (capture: Capture | undefined, kind: 'summary' | undefined) =>
  (kind === 'summary' ? capture?.summaries : capture?.outputs) !== false

/** Removes the outputs of an earlier session, which the method writes again. */
export function clearOutputs(trialState: TrialState): void {
  try {
    trialState.run.journal?.outputs.clear(trialState.plan.trial.id)
  } catch {
    trialState.phase = 'stopped'
  }
}

/** Returns what a bill's asks have spent. */
export function spentOf({ calls, input, output, costUsd, ...unknown }: Bill): Spent {
  const reported = { input, output, costUsd: roundedSum(costUsd) }
  return {
    calls,
    input: unknown.unknownInput === 0 ? input : null,
    output: unknown.unknownOutput === 0 ? output : null,
    costUsd: unknown.unreportedCost === 0 ? reported.costUsd : null,
    reported,
    unreported: {
      ...{ input: unknown.unknownInput, output: unknown.unknownOutput, costUsd: unknown.unreportedCost },
    },
  }
}
