import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openOutputFiles } from '../../../src/loop/journal/storage.ts'
import type { StorageError } from '../../../src/text/errors.ts'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { outputsOf, play, type Run, write } from '../../helpers/runs/play-outputs.ts'
import { type AnyContext, agentOf } from '../../helpers/runs/trial.ts'

describe('a write', () => {
  it('is refused while an effect or a branch is pending', async () => {
    const { record } = await play(async ({ ask, branch, outputs }) => {
      const asked = ask('judge', 'one')
      expect(() => outputs.write('a', '')).toThrow(
        /outputs\.write\(\) in the root branch while another effect/,
      )
      await asked
      const opened = branch('b', (b) => b.ask('judge', 'one'))
      expect(() => outputs.write('a', '')).toThrow(/while a child branch is pending/)
      await opened
    })
    expect(record.outcome.reason).toBe('')
  })

  it('is refused after a limit’s refusal, in a branch that has ended, and does nothing after the trial', async () => {
    let late: AnyContext | undefined
    const { record, folder, written } = await play(
      async (context) => {
        late = context
        const ended = await context.branch('b', async (b) => b)
        expect(() => ended.outputs.write('a', '')).toThrow(/which has ended/)
        context.outputs.write('kept', '')
        await context.ask('judge', 'one')
        await context.ask('judge', 'two').catch(() => {})
        expect(() => context.outputs.write('a', '')).toThrow(/calls/)
        expect(context.outputs.read('kept')).toBe('')
      },
      { limits: { calls: 1 } },
    )
    expect(record.outcome.status).toBe('limited')
    late?.outputs.write('late', '')
    expect([written, outputsOf(folder)]).toEqual([{ kept: '' }, { kept: '' }])
  })

  it('that is a result of an interrupt is not in the run folder', async () => {
    const stop = new AbortController()
    const folder = tempFolder()
    const stopping = agentOf(() => {
      stop.abort()
      return 'cut off'
    })
    const run: Run = async ({ ask, outputs }) => {
      outputs.write('before', '')
      await ask('judge', 'one').catch(() => {})
      await ask('judge', 'two').catch(() => outputs.write('after', ''))
    }
    await expect(play(run, { folder, agent: stopping, signal: stop.signal })).rejects.toThrow(/interrupted/)
    expect(outputsOf(folder)).toEqual({ before: '' })
  })

  it('of more bytes than an output may have is refused', async () => {
    const { record } = await play(write('big', 'x'.repeat(8 * 1024 ** 2 + 1)))
    expect(record.outcome.reason).toContain('are the most that an output may have')
  })

  it('takes the place of a file where a folder should be, and a deep path', async () => {
    const folder = tempFolder()
    writeFileSync(join(folder, 'artifacts'), 'a file')
    const deep = `${'x/'.repeat(500)}y`
    expect((await play(write(deep), { folder })).written).toEqual({ [deep]: deep })
  })

  it('that the disk refuses interrupts the trial, and is reported with place, fact and remedy', async () => {
    const folder = tempFolder()
    const reached: string[] = []
    const run: Run = async ({ ask, outputs }) => {
      rmSync(folder, { recursive: true })
      outputs.write('a.md', 'lost')
      reached.push('went on')
      await ask('judge', 'one')
      reached.push('asked')
    }
    await expect(play(run, { folder })).rejects.toThrow(/interrupted/)
    expect(reached).toEqual(['went on'])
    const errors: StorageError[] = []
    const files = openOutputFiles(folder, { onStorageError: (error) => errors.push(error) })
    const writeOne = () => files.write('trial', 'a.md', '', { durable: true })
    expect(writeOne).toThrow(
      /artifacts\/trial\/outputs\/a\.md.*cannot be written: it was removed during the run \(ENOENT\)/s,
    )
    mkdirSync(folder)
    expect(writeOne, 'nothing more is written').toThrow(/ENOENT/)
    expect(errors).toHaveLength(1)
  })
})
