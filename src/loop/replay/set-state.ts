import { join } from 'node:path'
import { valueAt } from '../../base/grouping.ts'
import type { StateStep, Step } from '../../schema/ledger/step.ts'
import { UserError } from '../../text/errors.ts'
import type { Blobs } from '../journal/blobs.ts'
import { emptyLedgerChecksum } from '../journal/checksum.ts'
import { journalFiles, openJournal, voidStep } from '../journal/journal.ts'
import { hasChecksums } from '../journal/jsonl.ts'
import { allSteps, stepName, stepsOf } from '../journal/ledger-index.ts'
import { recordedTrials } from '../record/records.ts'
import { holdRunFolder } from '../record/sessions.ts'

/** Returns the last state that a trial has journaled; undefined when it has none. */
export function lastState(folder: string, trial: string, blobs: Blobs): StateStep | undefined {
  const states = new Map<string, StateStep>()
  for (const step of stepsOf(folder, trial, blobs)) keepState(states, step)
  return [...states.values()].at(-1)
}

/** Returns the last journaled state of every trial that has one. */
export function lastStates(folder: string): Map<string, StateStep> {
  const trials = new Map<string, Map<string, StateStep>>()
  for (const step of allSteps(folder)) {
    if (step.kind !== 'state' && step.kind !== 'void') continue
    keepState(
      valueAt(trials, step.trial, () => new Map()),
      step,
    )
  }
  return new Map(
    [...trials].flatMap(([trial, states]) => {
      const last = [...states.values()].at(-1)
      return last ? [[trial, last] as const] : []
    }),
  )
}

/** Keeps states in the order of their last write, and drops voided ones. */
function keepState(states: Map<string, StateStep>, step: Step): void {
  if (step.kind === 'void') for (const name of step.keys) states.delete(name)
  if (step.kind !== 'state') return
  const name = stepName(step.key, step.attempt)
  states.delete(name)
  states.set(name, step)
}

/**
 * Sets fields of the last state of an unfinished trial: when the run is resumed, the method continues from that state, and
 * its later steps are void. Throws `UserError` when the trial has ended or has no state, or the run is in progress.
 */
export function setState(
  folder: string,
  trial: string,
  fields: Readonly<Record<string, unknown>>,
  blobs: Blobs,
): StateStep {
  const lock = holdRunFolder(folder)
  try {
    for (const ended of recordedTrials(folder))
      if (ended.trial === trial)
        throw new UserError({
          where: trial,
          what: 'the trial has ended, so its state cannot be set',
          fix: 'Choose an unfinished trial of an interrupted run.',
        })
    const last = lastState(folder, trial, blobs)
    if (!last)
      throw new UserError({
        where: trial,
        what: 'the trial has no state in its journal',
        fix: 'Its method has not reached a checkpoint yet, or has none.',
      })
    const unknown = Object.keys(fields).filter((field) => !Object.hasOwn(last.state, field))
    if (unknown.length > 0)
      throw new UserError({
        where: trial,
        what: `its state has no field ${unknown.join(', ')}`,
        fix: `Its fields are: ${Object.keys(last.state).join(', ')}.`,
      })
    // Every line of the ledger starts with its trial.
    const { trial: _, ...rest } = last
    const step: StateStep = { trial, ...rest, set: { ...last.set, ...fields } }
    const journal = openJournal(folder, {
      checksums: hasChecksums(join(folder, journalFiles.steps)) === true,
    })
    try {
      // A resumed trial computes its checksum anew.
      const checksum = emptyLedgerChecksum()
      const later = stepsAfter([...stepsOf(folder, trial, blobs)], last)
      const { key, hash } = last
      journal.step(voidStep(trial, { key, hash }, later, 'a person set the state'), checksum)
      journal.step(step, checksum)
    } finally {
      journal.close()
    }
    return step
  } finally {
    lock.release()
  }
}

/** Returns the names of the steps after the state that are not void yet. */
function stepsAfter(steps: readonly Step[], state: StateStep): string[] {
  const at = steps.findLastIndex((step) => step.kind === 'state' && step.key === state.key)
  const names = new Set<string>()
  for (const step of steps.slice(at + 1)) {
    if (step.kind === 'void') for (const name of step.keys) names.delete(name)
    else if (step.payer !== 'void') names.add(stepName(step.key, step.attempt))
  }
  return [...names]
}
