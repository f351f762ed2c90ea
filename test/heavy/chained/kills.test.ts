import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { ChainState } from '../../../src/schema/stage/chain-state.ts'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { chainedPrograms, newState, runStage, stateIn, writeFiles } from '../../helpers/stages/chained.ts'

/** Starts Node, and kills it after some time, or when it says that it is ready and some time has passed. */
async function startAndKill(words: readonly string[], cwd: string, ms: number, waits = false): Promise<void> {
  const child = spawn(process.execPath, words, { cwd, stdio: ['ignore', 'pipe', 'ignore'] })
  const ended = new Promise((resolve) => child.on('close', resolve))
  if (waits) await new Promise((resolve) => child.stdout.once('data', resolve))
  await setTimeout(ms)
  child.kill('SIGKILL')
  await ended
}

describe('a state file', () => {
  it('is whole whenever the program that writes it is killed', async () => {
    const folder = tempFolder()
    const path = join(folder, 'state.json')
    writeFileSync(path, JSON.stringify(newState({ plan: '' })))
    // Each state has a plan of one letter, repeated.
    const code = `import { readState, writeState } from ${JSON.stringify(join(chainedPrograms, 'state-file.mjs'))}
let { state, text } = readState(${JSON.stringify(path)})
for (let round = 1; ; round++) {
  writeState(${JSON.stringify(path)}, { ...state, round, plan: 'abcdefg'[round % 7].repeat(3_000_000) })
  if (round === 1) console.log('ready')
}`
    const plans = new Set<string>()
    for (let kill = 0; kill < 25; kill++) {
      // On a slow machine a write takes longer than 50 ms.
      await startAndKill(
        ['--input-type=module', '--eval', code],
        folder,
        ((kill * 7) % 50) * (1 + kill / 3),
        true,
      )
      const { plan = '' } = ChainState.parse(JSON.parse(readFileSync(path, 'utf8')))
      expect(plan).toMatch(/^(.)\1{2999999}$/)
      plans.add(plan[0] as string)
    }
    expect(plans.size).toBeGreaterThan(1)
    // One more writer removes what the killed ones have left.
    const last = `import { writeState } from ${JSON.stringify(join(chainedPrograms, 'state-file.mjs'))}
writeState(${JSON.stringify(path)}, ${JSON.stringify(newState())})`
    await startAndKill(['--input-type=module', '--eval', last], folder, 2000)
    expect(readdirSync(folder)).toEqual(['state.json'])
  })
})

describe('a stage that is killed', () => {
  it('leaves the old state or the new one, and the next run goes on from it', async () => {
    const folder = tempFolder()
    writeFiles(folder, { 'a.txt': 'a\n' })
    const state = () => stateIn(folder, 'w1')
    const hasState = () => existsSync(join(folder, '.bench/w1/state.json'))
    // On a slow machine the stage writes its first state later.
    for (let kill = 0; kill < 14 || (!hasState() && kill < 100); kill++) {
      await startAndKill([join(chainedPrograms, 'ship.mjs'), '42', 'w1'], folder, kill * 45)
      if (existsSync(join(folder, '.bench/w1'))) ChainState.parse(state())
    }
    const workspace = join(folder, '.bench/w1/workspace')
    mkdirSync(workspace, { recursive: true })
    writeFileSync(join(workspace, 'a.txt'), 'b\n')
    const { exitCode, stderr } = await runStage('ship', ['42', 'w1'], folder)
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
    expect(state().ship?.files).toEqual(['a.txt'])
    expect(readdirSync(join(folder, '.bench')).sort()).toEqual(['.gitignore', 'w1'])
  })
})
