import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { run } from '../../../src/api.ts'
import { runAsker, writeAsker } from '../../helpers/fanout/asking-strategy.ts'
import { recordsOf, refused } from '../../helpers/runs/cli.ts'

it.each([
  ['is missing', undefined, 'there is no such file'],
  ['is empty', '# nothing\n\n', 'holds no answer'],
  ['has a word that may mean either', 'yes\n\nok\n', 'line 3: "ok" alone is unclear. Write yes, abort,'],
  ['is no text', Buffer.from([0x79, 0xff, 0x0a]), 'is not UTF-8 text'],
])('a file of answers that %s is refused before the run', async (_, content, message) => {
  const { args, cwd } = writeAsker('', ['--approve', 'file:answers.txt'])
  if (content !== undefined) writeFileSync(join(cwd, 'answers.txt'), content)
  await refused(args, ['[--approve file:answers.txt]', message], { cwd })
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
