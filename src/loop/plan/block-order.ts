import { seededRandom, shuffled } from '../../base/random.ts'
import { agentSetsOf } from '../../schema/agent/agent-set.ts'
import type { TrialRecord } from '../../schema/ledger/record.ts'
import type { RunManifest, Shard } from '../../schema/run/run.ts'
import { refOfVersion } from '../../schema/run/task-version.ts'

/** Returns tasks in the seeded order of their blocks. */
export function orderBlocks<Task>(tasks: readonly Task[], seed: number): Task[] {
  return shuffled(tasks, seededRandom(`plan/${seed}`))
}

/** Yields the trials of a task's block in their order: each row in each epoch. */
export function* orderBlock<Row extends { method: { match?: unknown } }>(
  rows: readonly Row[],
  { seed, epochs }: Pick<RunManifest, 'seed' | 'epochs'>,
  task: string,
): Generator<{ row: Row; epoch: number }> {
  const random = seededRandom(`plan/${seed}/${task}`)
  // A matched budget is computed from all epochs of the other method, so these trials come after them.
  for (const matched of [false, true]) {
    const part = rows.filter(({ method }) => (method.match !== undefined) === matched)
    for (let epoch = 1; epoch <= epochs; epoch++)
      for (const row of shuffled(part, random)) yield { row, epoch }
  }
}

/** Returns the names of the tasks whose blocks a shard does, in their order, from what the whole run has in common. */
export function blocksOfShard(
  { tasks, seed }: Pick<RunManifest, 'tasks' | 'seed'>,
  { index, of }: Pick<Shard, 'index' | 'of'>,
): string[] {
  return orderBlocks(tasks, seed).flatMap(({ ref }, place) => (place % of === index - 1 ? [ref] : []))
}

/**
 * Returns the names of a run's tasks in the order of their blocks. The versions that a task had before the plan was changed come
 * before it, and tasks that are gone come last.
 */
export function orderTaskNames({ tasks, earlierTasks = [], seed }: TaskNames): string[] {
  const present = new Set(tasks.map(({ ref }) => ref))
  const earlier = earlierTasks.map(({ ref }) => ref).filter((ref) => !present.has(ref))
  const versionsOf = (name: string) => earlier.filter((one) => refOfVersion(one) === refOfVersion(name))
  const names = orderBlocks(tasks, seed).flatMap(({ ref }) => [...versionsOf(ref), ref])
  return [...new Set([...names, ...earlier])]
}

type TaskNames = Pick<RunManifest, 'tasks' | 'earlierTasks' | 'seed'>

/** What tells the place of a record in the plan of its run. */
type Slot = Pick<TrialRecord, 'task' | 'method' | 'agentSet' | 'epoch'>

/**
 * Returns a function that finds the place of a record in the plan of a whole run, and of its block; undefined for a record of another
 * run. It reads no task: run.json alone gives the order.
 */
export function createPlaces(
  manifest: RunManifest,
): (slot: Slot) => { block: number; place: number } | undefined {
  const blocks = new Map(orderBlocks(manifest.tasks, manifest.seed).map(({ ref }, block) => [ref, block]))
  const rows = manifest.methods.flatMap((method) =>
    agentSetsOf(manifest).map(({ label }) => ({ method, label })),
  )
  const size = rows.length * manifest.epochs
  let last: { task: string; within: ReadonlyMap<string, number> } | undefined
  const nameOf = (method: string, set: string | undefined, epoch: number) =>
    JSON.stringify([method, set, epoch])
  const placesWithin = (task: string) => {
    // Most records of a task stand together.
    if (last?.task !== task) {
      const order = [...orderBlock(rows, manifest, task)]
      const within = order.map(
        ({ row, epoch }, place) => [nameOf(row.method.label, row.label, epoch), place] as const,
      )
      last = { task, within: new Map(within) }
    }
    return last.within
  }
  return ({ task, method, agentSet, epoch }) => {
    const block = blocks.get(task)
    const within = block === undefined ? undefined : placesWithin(task).get(nameOf(method, agentSet, epoch))
    return block === undefined || within === undefined ? undefined : { block, place: block * size + within }
  }
}
