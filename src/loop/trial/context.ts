import { setImmediate } from 'node:timers/promises'
import type { z } from 'zod'
import type { AskOptions } from '../../ask.ts'
import { seededRandom } from '../../base/random.ts'
import { dataCleaner, wellFormed } from '../../replies/clean-data.ts'
import { describeType } from '../../schema/method/ask-options.ts'
import type { FileEdit, StrategyContext, Workspace } from '../../strategy.ts'
import { ask } from '../ask/ask.ts'
import { instructionOf } from '../ask/prompt.ts'
import { check } from '../ask/visible-checks.ts'
import { type Branch, forkBranch, requireOpen } from '../branch/branch.ts'
import { runBranch } from '../branch/branch-group.ts'
import { checkEdits, checkFunction, checkText } from '../branch/check-result.ts'
import { Interrupted, isInterrupted, isReplayingBreak, rejectEffect } from '../branch/recorded-steps.ts'
import type { TrialState } from '../branch/trial-state.ts'
import { mayWrite, noteBranch, trackAwait } from '../branch/unused-work.ts'
import { adoptState, applyEdits, filesOf, readFile, type State, unifiedDiff } from '../branch/workspace.ts'
import { approve } from '../effects/approval.ts'
import { checkpoint } from '../effects/checkpoint.ts'
import { first } from '../effects/first.ts'
import { isDelivered } from '../effects/grade-state.ts'
import { outputsOf, spentOf } from '../effects/outputs.ts'
import { writeCandidate, writeLabel, writeNote } from '../effects/trace-events.ts'
import { checkGraph, ownSteps } from '../graph/check-graph.ts'
import { graph } from '../graph/graph.ts'
import { checkProgram, readPrograms } from '../stage/program.ts'
import { stage } from '../stage/stage.ts'

// Each strategy has its own roles and options; `ask` checks the role.
// biome-ignore lint/suspicious/noExplicitAny: see the line above
type Context = StrategyContext<any, any>

/** Key of a workspace's state, which strategies do not see. */
const own = Symbol('state')

/** Returns the strategy's context for one branch of a trial. */
export function contextOf(trialState: TrialState, branch: Branch): Context {
  const { trial, task } = trialState
  const clean = dataCleaner(trialState.run.redact)
  return {
    instruction: instructionOf(task),
    options: trialState.options,
    // No getter: V8 puts one straight into the old generation, and with it all that the trial has held.
    programs: readPrograms(trialState.strategy.programs ?? []),
    ask: ((role: string, prompt: string, options?: AskOptions & { shape?: z.ZodType }) =>
      trackEffect(trialState, branch, `ask("${role}")`, () =>
        ask(trialState, branch, role, prompt, options),
      )) as Context['ask'],
    workspace: workspaceOf(trialState, branch, branch.state),
    branch: (name, work) => {
      const what = `branch("${name}")`
      // A branch that reached a limit cannot open another.
      if (branch.refused) return trackEffect(trialState, branch, what, never)
      checkText('branch(): the name', name)
      checkFunction(`${what}: the work`, work)
      requireOpen(branch, what)
      const child = forkBranch(branch, clean(name), branch.signal)
      noteBranch(trialState, child, branch)
      const ran = runBranch(branch, child, () => work(contextOf(trialState, child)))
      return trackIfUserCode(trialState, what, ran)
    },
    first: (branches) =>
      trackIfUserCode(
        trialState,
        'first()',
        beginIfAllowed(trialState, branch, () => first(trialState, branch, clean(branches), contextOf)),
      ),
    graph: ((steps: Parameters<Context['graph']>[0], options = {}) =>
      trackIfUserCode(
        trialState,
        'graph()',
        beginIfAllowed(trialState, branch, async () => {
          checkGraph(steps, options)
          return graph(trialState, branch, ownSteps(steps, clean), options, contextOf)
        }),
      )) as Context['graph'],
    stage: (id, program) =>
      trackIfUserCode(
        trialState,
        `stage("${id}")`,
        beginIfAllowed(trialState, branch, async () => {
          checkProgram(id, program, Object.keys(trialState.roles))
          const { end, child } = await stage(trialState, branch, id, clean(program))
          return { ...end, workspace: workspaceOf(trialState, child, child.state) }
        }),
      ),
    checkpoint: (state) =>
      trackEffect(trialState, branch, 'checkpoint()', () => checkpoint(trialState, branch, state)),
    approve: (question, options) =>
      trackEffect(trialState, branch, 'approve()', () =>
        approve(trialState, branch, clean(question), clean(options)),
      ),
    label: (label) => writeLabel(trialState, branch, label),
    candidate: (answer) => writeCandidate(trialState, branch, answer),
    note: (event) => writeNote(trialState, branch, event),
    delivers: (answer) => isDelivered(task, branch.state, answer ?? branch.state.answer),
    outputs: outputsOf(trialState, branch),
    now: () => branch.clock,
    spent: () => spentOf(branch.bill),
    random: (label) => {
      checkText('random(): the label', label)
      return seededRandom(`${trial.id}/${branch.path}/${label}`)()
    },
  }
}

function workspaceOf(trialState: TrialState, branch: Branch, state: State): Workspace {
  const workspace: Workspace & { [own]?: State } = {
    list: () => Object.keys(filesOf(state)).sort(),
    read: (path) => readFile(state, path),
    apply: (edits) => {
      if (!mayWrite(trialState, branch, 'workspace.apply()')) return
      checkEdits('workspace.apply()', edits)
      const { redact } = trialState.run
      const known = edits.map(wellFormedEdit)
      applyEdits(state, redact ? redact.data(known) : known, 'reply')
    },
    diff: () => unifiedDiff(state),
    check: () => trackEffect(trialState, branch, 'check()', () => check(trialState, branch, state)),
    adopt: (other) => {
      const taken = (other as typeof workspace | null | undefined)?.[own]
      if (!taken || taken.base !== state.base)
        throw new Error(
          `[strategy] adopt() takes the workspace of a branch of this trial, got ${taken ? 'one of another trial' : describeType(other)}.`,
        )
      if (!mayWrite(trialState, branch, 'workspace.adopt()')) return
      adoptState(state, taken)
      branch.hasAdopted = true
    },
  }
  workspace[own] = state
  return workspace
}

const ignore = () => {}
const never = () => new Promise<never>(ignore)

/** A path that no file can have is refused; of a text, only halves of surrogate pairs are replaced. */
const wellFormedEdit = ({ path, content }: FileEdit): FileEdit => ({ path, content: wellFormed(content) })

/** Begins an effect that belongs to its branch even if it is not awaited; its failure does not crash the harness. */
function trackEffect<T>(
  trialState: TrialState,
  branch: Branch,
  what: string,
  begin: () => Promise<T>,
): Promise<T> {
  const { busy } = branch
  const effect = beginIfAllowed(trialState, branch, begin)
  // A second effect is refused, so the branch waits for the first.
  if (!busy) branch.effect = effect
  effect.catch(ignore)
  return trackIfUserCode(trialState, what, effect)
}

/** Tracks whether a user's method awaits the effect. */
function trackIfUserCode<T>(
  { unawaitedEffects: unawaited }: TrialState,
  what: string,
  effect: Promise<T>,
): Promise<T> {
  return unawaited ? trackAwait(unawaited, what, effect) : effect
}

/** Begins an effect unless the trial has ended, is interrupted or has reached a limit. */
async function beginIfAllowed<T>(
  trialState: TrialState,
  branch: Branch,
  begin: () => Promise<T>,
): Promise<T> {
  // Code that a method left running when it ended must not act.
  if (trialState.hasEnded) return never()
  try {
    if (isInterrupted(trialState) && !isReplayingBreak(trialState)) throw new Interrupted()
    if (branch.refused) throw branch.refused.error
    return await begin()
  } catch (error) {
    // A method that catches every refusal must not block the handling of an interrupt.
    await setImmediate()
    return await rejectEffect(trialState, branch, error)
  }
}
