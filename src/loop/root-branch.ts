import type { Task } from '../schema/task.ts'
import type { Branch } from './branch.ts'
import { emptyBill } from './spending.ts'
import { createState } from './workspace.ts'

const none: readonly number[] = []

/** The branch that a trial's method begins in. */
export function rootBranch(task: Task, signal: AbortSignal): Branch {
  return {
    path: '',
    opened: none,
    counter: 0,
    notes: 0,
    clock: 0,
    bill: emptyBill(),
    state: createState(task.files),
    iteration: undefined,
    answered: undefined,
    busy: false,
    effect: undefined,
    group: undefined,
    groups: 0,
    names: undefined,
    signal,
    lost: false,
    ended: false,
    refused: undefined,
    told: 0,
    giveUp: undefined,
  }
}
