import { setImmediate } from 'node:timers/promises'
import type { z } from 'zod'
import { seededRandom } from '../../base/random.ts'
import type { AskOptions, StrategyContext, Workspace } from '../../strategy.ts'
import { ask } from '../ask/ask.ts'
import { instructionOf } from '../ask/prompt.ts'
import { check } from '../ask/visible-checks.ts'
import { approve, checkpoint } from '../effects/approval.ts'
import { first } from '../effects/first.ts'
import { isDelivered } from '../effects/grade-state.ts'
import { writeCandidate, writeLabel, writeNote } from '../effects/trace-events.ts'
import { adoptState, applyEdits, filesOf, readFile, type State, unifiedDiff } from '../files/workspace.ts'
import { type Branch, forkBranch, mustBeOpen, mustBeQuiet } from '../state/branch.ts'
import { runBranch } from '../state/branch-group.ts'
import { checkEdits, checkText } from '../state/check-arguments.ts'
import { mustBeAwaited, noteOpened } from '../state/left-unused.ts'
import { Interrupted, isInterrupted, replaysBreak, type TrialState, tell } from '../state/trial-state.ts'

// Roles and options are the strategy's own; the door checks roles itself.
// biome-ignore lint/suspicious/noExplicitAny: see the line above
type Context = StrategyContext<any, any>

/** What a workspace stands for; strategies see methods alone. */
const own = Symbol('state')

/** Everything that a strategy sees of a trial, for one branch of it. */
export function contextOf(trialState: TrialState, branch: Branch): Context {
  const { trial, task } = trialState
  const clean = cleanerOf(trialState)
  return {
    instruction: instructionOf(task),
    options: trialState.options,
    ask: ((role: string, prompt: string, options?: AskOptions & { shape?: z.ZodType }) =>
      watched(trialState, branch, `ask("${role}")`, () =>
        ask(trialState, branch, role, prompt, options),
      )) as Context['ask'],
    workspace: workspaceOf(trialState, branch, branch.state),
    branch: (name, work) => {
      const what = `branch("${name}")`
      // A limit has refused the branch something: it opens no other, and is told so.
      if (branch.refused) return watched(trialState, branch, what, never)
      checkText('branch(): the name', name)
      mustBeOpen(branch, what)
      const child = forkBranch(branch, clean(name), branch.signal)
      noteOpened(trialState, child, branch)
      const ran = runBranch(branch, child, () => work(contextOf(trialState, child)))
      return handedOut(trialState, what, ran)
    },
    first: (branches) =>
      handedOut(
        trialState,
        'first()',
        allowed(trialState, branch, () => first(trialState, branch, clean(branches), contextOf)),
      ),
    checkpoint: (state) =>
      watched(trialState, branch, 'checkpoint()', () => checkpoint(trialState, branch, state)),
    approve: (question) =>
      watched(trialState, branch, 'approve()', () => approve(trialState, branch, clean(question))),
    label: (label) => writeLabel(trialState, branch, label),
    candidate: (answer) => writeCandidate(trialState, branch, answer),
    note: (event) => writeNote(trialState, branch, event),
    delivers: (answer) => isDelivered(task, branch.state, answer ?? branch.state.answer),
    now: () => branch.clock,
    random: (label) => seededRandom(`${trial.id}/${branch.path}/${label}`)(),
  }
}

function workspaceOf(trialState: TrialState, branch: Branch, state: State): Workspace {
  const workspace: Workspace & { [own]?: State } = {
    list: () => Object.keys(filesOf(state)).sort(),
    read: (path) => readFile(state, path),
    apply: (edits) => {
      if (!mayWrite(trialState, branch, 'apply()')) return
      checkEdits('workspace.apply()', edits)
      applyEdits(state, cleanerOf(trialState)(edits), 'reply')
    },
    diff: () => unifiedDiff(state),
    check: () => watched(trialState, branch, 'check()', () => check(trialState, branch, state)),
    adopt: (other) => {
      const taken = (other as typeof workspace)[own]
      if (!taken || taken.base !== state.base)
        throw new Error('[strategy] adopt() takes a workspace of the same trial.')
      if (mayWrite(trialState, branch, 'adopt()')) adoptState(state, taken)
    },
  }
  workspace[own] = state
  return workspace
}

/**
 * Whether a method may change files now. Throws after a refusal by a limit, and while an effect is pending: the order of the
 * two would depend on timing.
 */
function mayWrite(trialState: TrialState, branch: Branch, what: string): boolean {
  if (trialState.over) return false
  if (branch.refused) throw branch.refused.error
  mustBeQuiet(branch, `workspace.${what}`)
  return true
}

/** Takes secrets out of what a strategy hands over. */
function cleanerOf({ run: { redact } }: TrialState): <Value>(value: Value) => Value {
  return redact ? redact.data : same
}

const same = <Value>(value: Value) => value
const ignore = () => {}
const never = () => new Promise<never>(ignore)

/** An effect that the strategy does not await still belongs to its branch, and its failure is no crash of the harness. */
function watched<T>(
  trialState: TrialState,
  branch: Branch,
  what: string,
  begin: () => Promise<T>,
): Promise<T> {
  const { busy } = branch
  const effect = allowed(trialState, branch, begin)
  // A second effect is refused; the first is the one to wait for.
  if (!busy) branch.effect = effect
  effect.catch(ignore)
  return handedOut(trialState, what, effect)
}

/** A method of the user's is told what it never awaited. */
function handedOut<T>({ unawaited }: TrialState, what: string, effect: Promise<T>): Promise<T> {
  return unawaited ? mustBeAwaited(unawaited, what, effect) : effect
}

/** An effect that begins only where the trial may do more. */
async function allowed<T>(trialState: TrialState, branch: Branch, begin: () => Promise<T>): Promise<T> {
  // What a method left running when it ended has no trial to act in.
  if (trialState.over) return never()
  try {
    if (isInterrupted(trialState) && !replaysBreak(trialState)) throw new Interrupted()
    if (branch.refused) throw branch.refused.error
    return await begin()
  } catch (error) {
    // A method that catches each refusal for ever must hear of an interrupt, too.
    await setImmediate()
    return await tell(trialState, branch, error)
  }
}
