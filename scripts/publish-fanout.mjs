// Makes the published run of `fanout`: a workflow whose agents a script plays, with a retry, a forced end and a halt.
import { cpSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { bench, root, runFiles, sameAnywhere } from './publish-tools.mjs'

const home = 'results/published/fanout'

/** Runs the workflow from a checkout. */
export function runWorkflow(scratch, checkout) {
  const plan = ['--tasks', 'writing', '--methods', 'fanout:post-gates', '--seed', '1']
  const agents = ['--agents', `scripted:${home}/agent.mjs`]
  // One trial at a time, so that the ledger's lines are always in the same order.
  const rest = ['--parallel', '1', '--no-config', '--quiet', '--out', runFolder(scratch)]
  bench([...plan, ...agents, ...rest], checkout)
}

/** Puts what was run in the place of what is published. */
export function publishWorkflow(scratch) {
  const folder = join(root, home, 'run')
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  for (const file of runFiles) cpSync(join(runFolder(scratch), file), join(folder, file))
}

/** Returns where what is published differs from what would be made now. */
export function checkWorkflow(scratch) {
  runWorkflow(scratch, root)
  return ['records.jsonl', 'steps.jsonl']
    .filter(
      (file) => sameAnywhere(join(runFolder(scratch), file)) !== sameAnywhere(join(root, home, 'run', file)),
    )
    .map((file) => `${home}/run/${file}: the workflow gives other trials now`)
}

const runFolder = (scratch) => join(scratch, 'fanout')
