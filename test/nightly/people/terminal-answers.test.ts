import { expect, it } from 'vitest'
import { liveArgs, runAsker, writeAsker } from '../../helpers/fanout/asking-strategy.ts'
import { needs } from '../../helpers/house/needs.ts'
import { inTerminal } from '../../helpers/machine/terminal.ts'
import { benchOk, recordsOf, refused, stepsOf } from '../../helpers/runs/cli.ts'

const prompt = 'what should change: '

needs('script').describe.each([
  ['dev mode', []],
  ['live mode', liveArgs],
])('at a terminal, in %s', (_, mode) => {
  it('a person reads the texts and answers with feedback, then yes; an empty line and an unclear word ask again', async () => {
    const asker = writeAsker('[rounds=2]', mode)
    const typing = [
      [prompt, '\r'],
      [prompt, 'okay\r'],
      [
        /"okay" alone is unclear\. Write yes, abort, or say what should change\.\s+.*change: $/,
        'Shorter, please.\r',
      ],
      ['Is round 2 good?', 'yes\r'],
    ] as const
    const { shown, exitCode } = await inTerminal(asker.args, typing, asker)
    expect(exitCode, shown).toBe(0)
    expect(shown).toContain('\\x1b[31mred\\x1b[0m draft')
    expect(shown).toMatch(/141 more lines; the whole text: \S+blobs\/[0-9a-f]{64}/)
    expect(recordsOf(asker.folder)[0]).toMatchObject({
      people: { approvals: 2 },
      state: { said: ['feedback:Shorter, please.', 'approved:'] },
    })
    expect(await benchOk(['replay', asker.folder], { cwd: asker.cwd })).toContain('no divergence')
  })
})

needs('script').describe('at a terminal', () => {
  it('the end of the input lets the trial wait, and the run ends with exit code 4', async () => {
    const asker = writeAsker('', ['--epochs', '2', '--parallel', '1'])
    const { shown, exitCode } = await inTerminal(asker.args, [[prompt, '\x04']], asker)
    expect(exitCode, shown).toBe(4)
    expect(shown).toContain('2 trials wait for a person')
    // Without a terminal nobody answers for the person who was asked.
    const resumed = await runAsker(asker, ['--resume', asker.folder])
    expect(resumed.code).toBe(4)
    expect(resumed.stderr).toContain(
      'this run asked for approvals at a terminal, and this session has no terminal',
    )
  })

  it('Ctrl-C at the question stops the run, which can be resumed', async () => {
    const asker = writeAsker()
    const { shown, exitCode } = await inTerminal(asker.args, [[prompt, '\x03']], asker)
    expect(exitCode, shown).toBe(130)
    expect(shown).toContain('interrupted after 0 of 1 trials')
    expect(stepsOf(asker.folder).filter(({ kind }) => kind === 'approval')).toEqual([])
    expect(await runAsker(asker, ['--resume', asker.folder, '--approve', 'yes'])).toMatchObject({ code: 0 })
    expect(recordsOf(asker.folder)[0]).not.toHaveProperty('people')
  })
})

it('--approve ask is refused without a terminal', async () => {
  const { args, cwd } = writeAsker('', ['--approve', 'ask'])
  await refused(args, ['[--approve ask] needs a terminal', 'Use --approve park'], { cwd })
})
