import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { tempFolder } from '../machine/temp.ts'
import { argv } from '../runs/argv.ts'
import { root, startBench, wholeLines } from '../runs/cli.ts'

/** A live run whose agent is a program that waits. */
export const plan = argv`--mode live --agents scripted:${join(root, 'fixtures/agents/paid-worker.mjs')}`

/** Two tasks, each by two methods. */
export const tasks = argv`--tasks ferry-morning,lamp-paths
  --methods baseline,sequential[maxInner=1,maxOuter=1]`

/** Starts a run whose agent replies only when the gate is opened, so that the test decides how long it holds the folder. */
export function gated(more = tasks) {
  const folder = join(tempFolder(), 'run')
  const place = tempFolder()
  const [log, gate] = [join(place, 'log'), join(place, 'gate')]
  const setting = { env: { WORKER_LOG: log, WORKER_GATE: gate } }
  return {
    folder,
    begin: () => startBench([...plan, ...more, '--out', folder], setting),
    resume: () => startBench(['--resume', folder, '--quiet'], setting),
    calls: () => wholeLines(log).map((line) => (JSON.parse(line) as { pid: number }).pid),
    open: () => writeFileSync(gate, ''),
  }
}
