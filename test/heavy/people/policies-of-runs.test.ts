import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { run } from '../../../src/api.ts'
import { runAsker, writeAsker } from '../../helpers/fanout/asking-strategy.ts'
import { recordsOf, refused } from '../../helpers/runs/cli.ts'

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
  const { stderr } = await refused(
    [...args, '--approve', 'file:/etc/passwd'],
    [/line 1: this is no answer/],
    { cwd },
  )
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
