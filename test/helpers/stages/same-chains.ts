import { join } from 'node:path'
import { expect } from 'vitest'
import { selectTasks } from '../../../src/loop/plan/select-tasks.ts'
import type { ChainState } from '../../../src/schema/stage/chain-state.ts'
import { expectSame, replays, runInTwo, runOnce } from '../../cli/run/determinism-scenario.ts'
import { tempFolder } from '../machine/temp.ts'
import { recordsOf } from '../runs/cli.ts'
import { git, writeFiles } from './chained.ts'

/**
 * Runs chains on tasks one by one, side by side, stopped and killed, and expects equal records; replays them; and expects of each
 * patch that it leads from the start to the graded tree. At least `shipped` trials must have a patch.
 */
export async function expectSameChains(
  tasks: string,
  least: { replayed: number; shipped: number },
): Promise<void> {
  const plan = ['--tasks', tasks, '--methods', 'chained', '--seed', '3']
  const one = await runOnce(plan, {}, '--parallel', '1')
  const four = await runOnce(plan, {}, '--parallel', '4')
  expectSame(four, one)
  expectSame(await runInTwo([...plan, '--parallel', '2'], 'SIGINT', four), one)
  expectSame(await runInTwo([...plan, '--parallel', '2'], 'SIGKILL', four), one)
  await replays(one, least.replayed)
  const shipped = await patchedTrees(one.folder)
  expect(shipped.length).toBeGreaterThanOrEqual(least.shipped)
  for (const { task, patched, tree } of shipped) expect(patched, task).toBe(tree)
}

/** Applies the patch of each trial to the files of its task. */
async function patchedTrees(run: string) {
  const tasks = new Map((await selectTasks('all', 1)).tasks.map((task) => [task.ref, task]))
  const trees: { task: string; patched: string; tree: string }[] = []
  for (const { task, trial, state } of recordsOf(run)) {
    const { ship } = (state as { state: ChainState }).state
    if (!ship) continue
    const folder = tempFolder()
    writeFiles(folder, tasks.get(task)?.files ?? {})
    await git(folder, 'init', '--quiet')
    await git(folder, 'apply', join(run, 'artifacts', trial, 'outputs/change.patch'))
    await git(folder, 'add', '--all', '--force')
    trees.push({ task, patched: (await git(folder, 'write-tree')).trim(), tree: ship.tree })
  }
  return trees
}
