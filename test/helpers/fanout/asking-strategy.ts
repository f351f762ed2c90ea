import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { tempFolder } from '../machine/temp.ts'
import { root, startBench, wholeLines } from '../runs/cli.ts'

const source = `import { appendFileSync, existsSync } from 'node:fs'
import { defineStrategy, z } from ${JSON.stringify(join(root, 'dist/bench/api.js'))}

const { ASKER_LOG, ASKER_GATE, ASKER_DIES } = process.env
const log = (line) => ASKER_LOG && appendFileSync(ASKER_LOG, line + '\\n')
/** Ends the process as kill -9 does, once. */
const dieAt = (place) => {
  if (ASKER_DIES !== place || existsSync(ASKER_LOG + '.dead')) return
  appendFileSync(ASKER_LOG + '.dead', '')
  process.kill(process.pid, 'SIGKILL')
}

export default defineStrategy({
  name: 'asker',
  summary: 'Writes, asks a person, and writes again.',
  roles: { writer: 'produce' },
  options: z.strictObject({ rounds: z.int().default(1), asks: z.boolean().default(true), guided: z.boolean().default(true), machine: z.record(z.string(), z.unknown()).default({}) }),
  run: async ({ options, ask, approve, checkpoint, label }) => {
    let state = { round: 0, said: [], ...(options.guided && { guidance: { work: '', check: '' } }) }
    while (state.round < options.rounds) {
      state = await checkpoint({ ...state, round: state.round + 1 })
      dieAt('checkpoint ' + state.round)
      label({ round: state.round })
      log('round ' + state.round)
      while (ASKER_GATE && !existsSync(ASKER_GATE + state.round)) await new Promise((resolve) => setTimeout(resolve, 5))
      const text = await ask('writer', 'Round ' + state.round + '. ' + Object.values(state.guidance ?? {}).join(' '))
      if (!options.asks) continue
      const show = { 'draft.md': '\\u001b[31mred\\u001b[0m draft\\n' + text, 'long.md': 'a line\\n'.repeat(200) }
      const { decision, feedback } = await approve('Is round ' + state.round + ' good?', { show, onAbort: 'return' })
      dieAt('approval')
      state.said.push(decision + ':' + feedback)
      if (decision === 'abort') return { stopReason: 'halted', detail: 'aborted', state }
    }
    return { stopReason: 'done', state }
  },
})
`

/** The folder of a run of the asking strategy, and its options. */
export interface Asker {
  cwd: string
  /** The run folder. */
  folder: string
  /** The arguments of a run of one task in dev mode. */
  args: string[]
  /** The environment: where the strategy logs its rounds. */
  env: Record<string, string>
  /** Lets the trials do round `n`, if they run with `gate`. */
  openRound(n: number): void
  gate: { ASKER_GATE: string }
  /** The rounds that were begun, over all sessions. */
  rounds(): string[]
}

/** Writes a strategy that asks a person in each round, into a new folder. `options` stand in brackets after its name. */
export function writeAsker(options = '', more: readonly string[] = []): Asker {
  const cwd = tempFolder()
  const strategy = join(cwd, 'asker.mjs')
  writeFileSync(strategy, source)
  const folder = join(cwd, 'run')
  const env = { ASKER_LOG: join(cwd, 'rounds') }
  const gate = { ASKER_GATE: join(cwd, 'gate') }
  const args = [
    '--tasks',
    'ferry-morning',
    '--methods',
    `${strategy}${options}`,
    '--out',
    folder,
    '--quiet',
    ...more,
  ]
  return {
    ...{ cwd, folder, args, env, gate },
    openRound: (n) => writeFileSync(gate.ASKER_GATE + n, ''),
    rounds: () => wholeLines(env.ASKER_LOG),
  }
}

/** Starts a command in the asker's folder. */
export const startAsker = ({ cwd, env }: Asker, args: readonly string[], more: Record<string, string> = {}) =>
  startBench(args, { cwd, env: { ...env, ...more } })

/** Runs a command in the asker's folder to its end. */
export const runAsker = (asker: Asker, args: readonly string[], more?: Record<string, string>) =>
  startAsker(asker, args, more).ended

/** Live mode with an agent that counts as paid. */
export const liveArgs = [
  '--mode',
  'live',
  '--agents',
  `scripted:${join(root, 'fixtures/agents/paid-worker.mjs')}`,
]
