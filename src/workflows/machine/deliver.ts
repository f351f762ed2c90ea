import type { Output } from './machine-outputs.ts'
import type { MachineRun } from './machine-run.ts'

/**
 * Returns the output that is handed in: what the orchestrator chose, unless the output that the machine delivers was written
 * since; else that output. Without `deliver` it is what a `produce` agent wrote last: of a fan-out, the first in its order.
 */
export function deliveredOutput({ machine, outputs, chosen }: MachineRun): Output | undefined {
  const { written } = outputs
  const own =
    machine.deliver === undefined
      ? lastProduced(written)
      : (written.findLast(({ path }) => path === machine.deliver) ?? outputs.find(machine.deliver))
  // What was written in the visit of the choice, or before, is older than it.
  const isOlder = chosen && (own?.order ?? 0) <= chosen.order
  return isOlder ? chosen.output : own
}

function lastProduced(written: readonly Output[]): Output | undefined {
  const last = written.findLast(({ work }) => work)
  return last && written.find(({ work, order }) => work && order === last.order)
}

/** Hands in an output: takes over its author's files. Returns the answer. */
export function handIn({ context, limit }: MachineRun, { text, work }: Output): string {
  // A limit of the trial refuses every change of files.
  if (work && !limit) context.workspace.adopt(work.workspace)
  return work?.reply ?? text
}
