import { setImmediate } from 'node:timers/promises'
import type { z } from 'zod'
import { seededRandom } from '../../base/random.ts'
import type { AskOptions, StrategyContext, TraceEvent, Workspace } from '../../strategy.ts'
import { ask } from '../ask/ask.ts'
import { instructionOf } from '../ask/prompt.ts'
import { check } from '../ask/visible-checks.ts'
import { approve, checkpoint } from '../effects/approval.ts'
import { first } from '../effects/first.ts'
import { noteCandidate } from '../effects/grade-candidates.ts'
import { isDelivered } from '../effects/grade-state.ts'
import {
  adoptState,
  applyEdits,
  filesOf,
  forkState,
  readFile,
  type State,
  unifiedDiff,
} from '../files/workspace.ts'
import { type Branch, forkBranch, requireIdle, requireOpen } from '../state/branch.ts'
import { runBranch } from '../state/branch-group.ts'
import { checkEdits, checkText } from '../state/check-arguments.ts'
import { checkedEvent } from '../state/check-result.ts'
import {
  Interrupted,
  isInterrupted,
  isReplayingBreak,
  rejectEffect,
  type TrialState,
  withheldText,
} from '../state/trial-state.ts'
import { noteBranch, trackAwait } from '../state/unused-work.ts'

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
    signal: branch.signal,
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
      requireOpen(branch, what)
      const child = forkBranch(branch, clean(name), branch.signal)
      noteBranch(trialState, child, branch)
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
    note: (event) => note(trialState, branch, event),
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
      if (!mayWrite(trialState, branch, state, 'apply()')) return
      checkEdits('workspace.apply()', edits)
      applyEdits(state, cleanerOf(trialState)(edits), 'reply')
    },
    diff: () => unifiedDiff(state),
    check: () => watched(trialState, branch, 'check()', () => check(trialState, branch, state)),
    fork: () => workspaceOf(trialState, branch, forkState(state)),
    adopt: (other) => {
      const taken = (other as typeof workspace)[own]
      if (!taken || taken.base !== state.base)
        throw new Error('[strategy] adopt() takes a workspace of the same trial.')
      if (mayWrite(trialState, branch, state, 'adopt()')) adoptState(state, taken)
    },
  }
  workspace[own] = state
  return workspace
}

/**
 * Whether a method may change files now. Throws where a limit has refused the branch something, and where what comes
 * first, this or what is under way, would be a matter of time; a fork that it keeps beside is its own.
 */
function mayWrite(trialState: TrialState, branch: Branch, state: State, what: string): boolean {
  if (trialState.hasEnded) return false
  if (branch.refused) throw branch.refused.error
  if (state === branch.state) requireIdle(branch, `workspace.${what}`)
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
function handedOut<T>(
  { unawaitedEffects: unawaited }: TrialState,
  what: string,
  effect: Promise<T>,
): Promise<T> {
  return unawaited ? trackAwait(unawaited, what, effect) : effect
}

/** An effect that begins only where the trial may do more. */
async function allowed<T>(trialState: TrialState, branch: Branch, begin: () => Promise<T>): Promise<T> {
  // What a method left running when it ended has no trial to act in.
  if (trialState.hasEnded) return never()
  try {
    if (isInterrupted(trialState) && !isReplayingBreak(trialState)) throw new Interrupted()
    if (branch.refused) throw branch.refused.error
    return await begin()
  } catch (error) {
    // A method that catches each refusal for ever must hear of an interrupt, too.
    await setImmediate()
    return await rejectEffect(trialState, branch, error)
  }
}

function note(trialState: TrialState, branch: Branch, event: TraceEvent): void {
  if (branch.refused && !trialState.hasEnded) throw branch.refused.error
  const plain = cleanerOf(trialState)(checkedEvent(event))
  // It may tell of nothing but the stop; the next session tells what is true.
  if (trialState.hasEnded || isInterrupted(trialState)) return
  const { type, ...fields } = plain
  const key = `${branch.path}!${branch.notes++}`
  if (type === 'iteration') {
    trialState.labelled = true
    branch.iteration = fields as Record<string, number | string>
  }
  const told = type === 'iteration' || !trialState.secret ? plain : { type, withheld: withheldText }
  const isCandidate = type === 'candidate'
  const shown = isCandidate
    ? noteCandidate(trialState, branch, fields.answer as string | undefined, key)
    : told
  trialState.run.event?.(trialState.trial.id, key, { ...shown, simulated: trialState.simulated })
}
