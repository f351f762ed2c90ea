import { expect, it } from 'vitest'
import { writeAsker } from '../../helpers/fanout/asking-strategy.ts'
import { needs } from '../../helpers/house/needs.ts'
import { inTerminal } from '../../helpers/machine/terminal.ts'
import { recordsOf } from '../../helpers/runs/cli.ts'

const prompt = 'what should change: '

needs('script').describe('at a terminal', () => {
  it('questions of parallel trials come one at a time, and progress is not printed into them', async () => {
    const asker = writeAsker('', ['--epochs', '3', '--parallel', '3'])
    const args = asker.args.filter((word) => word !== '--quiet')
    const typing = [1, 2, 3].map((nth) => [prompt, `answer ${nth}\r`] as const)
    const { shown, exitCode } = await inTerminal(args, typing, asker)
    expect(exitCode, shown).toBe(0)
    const said = recordsOf(asker.folder).map(({ state }) => JSON.stringify(state?.said))
    expect(said.sort()).toEqual(['["feedback:answer 1"]', '["feedback:answer 2"]', '["feedback:answer 3"]'])
    expect(shown.match(/what should change: answer \d\r\n/g)).toHaveLength(3)
  })

  it('lines that are pasted together are one answer, and answer no other question', async () => {
    const asker = writeAsker('[rounds=2]', ['--parallel', '1'])
    const typing = [
      [prompt, 'Shorter.\r\ryes\rabort\r'],
      [/Is round 2 good\?\s+.*what should change: /, 'yes\r'],
    ] as const
    const { shown, exitCode } = await inTerminal(asker.args, typing, asker)
    expect(exitCode, shown).toBe(0)
    expect(recordsOf(asker.folder)[0]).toMatchObject({
      people: { approvals: 2 },
      state: { said: ['feedback:Shorter.\n\nyes\nabort', 'approved:'] },
    })
  })

  it('what is typed before a question appears does not answer it', async () => {
    const asker = writeAsker('[rounds=2]')
    const args = asker.args.filter((word) => word !== '--quiet')
    const typing = [
      [/1 trial, /, 'abort\r'],
      [prompt, 'Shorter.\r'],
      [/Is round 2 good\?\s+.*what should change: /, 'yes\r'],
    ] as const
    const { shown, exitCode } = await inTerminal(args, typing, asker)
    expect(exitCode, shown).toBe(0)
    expect(recordsOf(asker.folder)[0]).toMatchObject({ state: { said: ['feedback:Shorter.', 'approved:'] } })
  })

  it('an answer that the terminal has cut is asked for again', async () => {
    const asker = writeAsker('', ['--parallel', '1'])
    const typing = [
      [prompt, `${'long '.repeat(2000)}\r`],
      [prompt, 'yes\r'],
    ] as const
    const { shown, exitCode } = await inTerminal(asker.args, typing, asker)
    expect(exitCode, shown).toBe(0)
    expect(shown).toMatch(/the terminal cuts a line after 4,095 bytes.*bench approve/s)
    expect(recordsOf(asker.folder)[0]).toMatchObject({ state: { said: ['approved:'] } })
  })

  it('a terminal in CI is not asked', async () => {
    const asker = writeAsker()
    const { exitCode } = await inTerminal(asker.args, [], { cwd: asker.cwd, env: { CI: 'true' } })
    expect(exitCode).toBe(0)
  })
})
