import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** A live run of many trials whose agent is a script. */
export function liveRun(cwd: string, script: string, methods: string) {
  writeFileSync(join(cwd, 'agent.mjs'), `export const paid = true\nexport const simulated = false\n${script}`)
  return [
    ...['--tasks', 'lamp-paths,ferry-morning', '--epochs', '6', '--mode', 'live'],
    ...['--allow-unsandboxed', '--quiet'],
    ...['--methods', methods, '--agents', 'scripted:agent.mjs', '--out', 'run', '--parallel', '2'],
  ]
}

/** An agent that answers each ask. */
export const answers = "export default () => 'ANSWER: 1'"
