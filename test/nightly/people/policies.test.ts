import { execFileSync } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { run } from '../../../src/api.ts'
import { liveArgs, runAsker, writeAsker } from '../../helpers/fanout/asking-strategy.ts'
import { needs } from '../../helpers/house/needs.ts'
import { inTerminal } from '../../helpers/machine/terminal.ts'
import { argv } from '../../helpers/runs/argv.ts'
import { bench, benchOk, recordsOf, refused, stepsOf } from '../../helpers/runs/cli.ts'

it('--approve file:PATH gives the nth approval of each trial the nth answer; then the trial waits', async () => {
  const asker = writeAsker('[rounds=3]', ['--approve', 'file:answers.txt', '--epochs', '2'])
  const { cwd, folder } = asker
  const answers = join(cwd, 'answers.txt')
  writeFileSync(answers, '# of both trials\n\nfeedback: Shorter.\r\nYes\n')
  expect(await runAsker(asker, asker.args)).toMatchObject({ code: 4 })
  // The run has the answers; the file is not read again.
  rmSync(answers)
  expect(await runAsker(asker, ['--resume', folder])).toMatchObject({ code: 4 })
  expect(stepsOf(folder).filter(({ kind }) => kind === 'approval')).toHaveLength(4)
  writeFileSync(answers, 'yes\nyes\nFeedback:Longer.\n')
  expect(await runAsker(asker, ['--resume', folder, '--approve', 'file:answers.txt'])).toMatchObject({
    code: 0,
  })
  for (const record of recordsOf(folder))
    expect(record).toMatchObject({
      people: { approvals: 3, guidance: 0, sets: 0 },
      state: { said: ['feedback:Shorter.', 'approved:', 'feedback:Longer.'] },
    })
})

it('a file of answers that never ends, or waits for a writer, is refused at once', async () => {
  const { args, cwd } = writeAsker()
  execFileSync('mkfifo', [join(cwd, 'pipe')])
  await refused(argv`${args} --approve file:pipe`, ['[--approve file:pipe]', 'is a pipe, not a file'], {
    cwd,
  })
  await refused([...args, '--approve', 'file:/dev/zero'], ['has more than 16 MB'], { cwd })
  await refused([...args, '--approve', 'file:.'], ['is a folder, not a file'], { cwd })
})

it('an unknown policy is refused on the command line, in the config file and in a request', async () => {
  const { args, cwd, folder } = writeAsker()
  await refused(argv`${args} --approve maybe`, ['[--approve maybe] is not a policy', 'park, file:PATH'], {
    cwd,
  })
  writeFileSync(join(cwd, 'bench.config.yaml'), 'run:\n  approve: maybe\n')
  await refused(args, [/bench\.config\.yaml:2.*must be ask, yes, abort, park or file:PATH/], { cwd })
  writeFileSync(join(cwd, 'bench.config.yaml'), 'run:\n  approve: park\n')
  expect(await bench(args, { cwd })).toMatchObject({ code: 4 })
  for (const approve of ['ask', 'maybe', 'file:', 3])
    await expect(
      run({ tasks: 'ferry-morning', out: `${folder}2`, approve: approve as 'yes' }),
    ).rejects.toThrow("must be 'yes', 'abort', 'park' or 'file:PATH'")
})

it('a live run in which nobody can be asked says before its first trial that approvals are answered yes', async () => {
  const asker = writeAsker('', liveArgs)
  const note = 'can ask a person, and every approval is answered yes'
  expect((await runAsker(asker, asker.args)).stderr).toContain(note)
  const chosen = writeAsker('', [...liveArgs, '--approve', 'yes'])
  expect((await runAsker(chosen, chosen.args)).stderr).not.toContain(note)
})

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
