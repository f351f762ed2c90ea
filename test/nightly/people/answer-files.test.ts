import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { run } from '../../../src/api.ts'
import { runAsker, writeAsker } from '../../helpers/fanout/asking-strategy.ts'
import { needs } from '../../helpers/house/needs.ts'
import { inTerminal } from '../../helpers/machine/terminal.ts'
import { argv } from '../../helpers/runs/argv.ts'
import { bench, recordsOf, refused, stepsOf } from '../../helpers/runs/cli.ts'

it.each([
  ['is missing', undefined, 'there is no such file'],
  ['is empty', '# nothing\n\n', 'holds no answer'],
  [
    'has a word that may mean either',
    'yes\n\nok\n',
    'line 3: this is no answer. Write on each line yes, abort,',
  ],
  [
    'has lines of another kind',
    'yes\nroot:x:0:0:root:/root:/bin/sh\n',
    'line 2: this is no answer. Write on each',
  ],
  ['has feedback without its name', 'Shorter, please.\n', 'line 1: this is no answer'],
  ['has unclear feedback', 'feedback: ok\n', 'line 1: the feedback "ok" alone is unclear'],
  ['has no feedback behind its name', 'yes\nfeedback: \n', 'line 2: the feedback is empty'],
  ['has escape sequences', 'feedback: \u001b[31mred\n', 'line 1: the feedback has control characters'],
  ['has a giant line', `feedback: ${'long '.repeat(1000)}\n`, 'line 1: the feedback has more than 4095'],
  ['is no text', Buffer.from([0x79, 0xff, 0x0a]), 'is not UTF-8 text'],
])('a file of answers that %s is refused before the run', async (_, content, message) => {
  const { args, cwd, folder } = writeAsker('', ['--approve', 'file:answers.txt'])
  if (content !== undefined) writeFileSync(join(cwd, 'answers.txt'), content)
  const { stderr } = await refused(args, ['[--approve file:answers.txt]', message], { cwd })
  expect(stderr).not.toContain('root:x')
  expect(existsSync(folder)).toBe(false)
})

it('a file of another kind is refused by its first lines, and none of its text is shown', async () => {
  const { args, cwd, folder } = writeAsker()
  const { stderr } = await refused(argv`${args} --approve file:/etc/passwd`, [/line 1: this is no answer/], {
    cwd,
  })
  expect(stderr).not.toContain('root')
  expect(stderr.split('\n').length).toBeLessThan(12)
  expect(existsSync(folder)).toBe(false)
})

it('answers of a policy are no marks of a person', async () => {
  for (const policy of ['yes', 'abort']) {
    const asker = writeAsker('', ['--approve', policy])
    expect(await runAsker(asker, asker.args)).toMatchObject({ code: 0 })
    expect(recordsOf(asker.folder)[0]).not.toHaveProperty('people')
  }
})

it('a program learns which trials wait', async () => {
  const { args, folder } = writeAsker()
  const [methods = ''] = args.slice(args.indexOf('--methods') + 1)
  const waits = await run({ tasks: 'ferry-morning', methods, out: folder, approve: 'park' })
  expect(waits).toMatchObject({ interrupted: true, waiting: [{ question: 'Is round 1 good?' }] })
})

it('guidance for a state that a parked trial is past is refused, with the states that are ahead', async () => {
  const { cwd } = writeAsker()
  const plan = ['--tasks', 'lost-backup', '--methods', 'fanout:post-approval', '--approve', 'park']
  expect(await bench([...plan, '--out', 'post', '--quiet'], { cwd })).toMatchObject({ code: 4 })
  const [{ trial = '' } = {}] = stepsOf(join(cwd, 'post'))
  await refused(
    ['guide', 'post', trial, 'draft', 'Name the source.'],
    [
      '[bench guide draft] the trial is past this state',
      'Still ahead: synthesize, final-audit, final-analysis, approval.',
    ],
    { cwd },
  )
  expect(await bench(['guide', 'post', trial, 'synthesize', 'Be brief.'], { cwd })).toMatchObject({ code: 0 })
})

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
