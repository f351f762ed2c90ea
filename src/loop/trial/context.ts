import { seededRandom } from '../../base/random.ts'
import { dataCleaner } from '../../replies/clean-data.ts'
import { ask, type StrategyAsk } from '../ask/ask.ts'
import { instructionOf } from '../ask/prompt.ts'
import { beginEffect, never, trackAwait, trackEffect } from '../branch/begin-effect.ts'
import { openBranch, requireOpen } from '../branch/branch.ts'
import { runBranch } from '../branch/branch-group.ts'
import { checkFunction, checkText } from '../branch/check-result.ts'
import type { Branch, Context } from '../branch/trial-state.ts'
import { approve } from '../effects/approval.ts'
import { checkpoint } from '../effects/checkpoint.ts'
import { first } from '../effects/first.ts'
import { isDelivered } from '../effects/grade-state.ts'
import { outputsOf, spentOf } from '../effects/outputs.ts'
import { writeCandidate, writeLabel, writeNote } from '../effects/trace-events.ts'
import { graph } from '../graph/graph.ts'
import { shownFacts } from '../plan/task-facts.ts'
import { readPrograms } from '../stage/program.ts'
import { stage } from '../stage/stage.ts'
import { workspaceOf } from './workspace-of.ts'

/** Returns the strategy's context for one branch of a trial. */
export function contextOf(branch: Branch): Context {
  const { trialState } = branch
  const { trial, task } = trialState.plan
  const clean = dataCleaner(trialState.run.redact)
  return {
    instruction: instructionOf(task, trial.cell.instructions),
    properties: shownFacts(task),
    options: trialState.plan.options,
    // No getter: V8 puts one straight into the old generation, and with it all that the trial has held.
    programs: readPrograms(trialState.plan.strategy.programs ?? []),
    ask: ((role: string, prompt: string, options?: StrategyAsk) =>
      trackEffect(branch, `ask("${role}")`, () => ask(branch, role, prompt, options))) as Context['ask'],
    workspace: workspaceOf(branch),
    branch: (name, work) => {
      const what = `branch("${name}")`
      // A branch that reached a limit cannot open another.
      if (branch.refused) return trackEffect(branch, what, never)
      checkText('branch(): the name', name)
      checkFunction(`${what}: the work`, work)
      requireOpen(branch, what)
      const child = openBranch(branch, clean(name), branch.signal)
      return trackAwait(
        trialState,
        what,
        runBranch(branch, child, () => work(contextOf(child))),
      )
    },
    first: (branches) => beginEffect(branch, 'first()', () => first(branch, clean(branches), contextOf)),
    graph: ((steps: Parameters<Context['graph']>[0], options = {}) =>
      beginEffect(branch, 'graph()', () => graph(branch, steps, options, contextOf))) as Context['graph'],
    stage: (id, program) =>
      beginEffect(branch, `stage("${id}")`, async () => {
        const { end, child } = await stage(branch, id, program, contextOf)
        return { ...end, workspace: workspaceOf(child) }
      }),
    checkpoint: (state) => trackEffect(branch, 'checkpoint()', () => checkpoint(branch, state)),
    approve: (question, options) =>
      trackEffect(branch, 'approve()', () => approve(branch, clean(question), clean(options))),
    label: (label) => writeLabel(branch, label),
    candidate: (answer) => writeCandidate(branch, answer),
    note: (event) => writeNote(branch, event),
    delivers: (answer) => isDelivered(task, branch.state, answer ?? branch.state.answer),
    sameAnswer: trialState.plan.sameAnswer,
    outputs: outputsOf(branch),
    now: () => branch.clock,
    spent: () => spentOf(branch.bill),
    random: (label) => {
      checkText('random(): the label', label)
      return seededRandom(`${trial.id}/${branch.path}/${label}`)()
    },
  }
}
