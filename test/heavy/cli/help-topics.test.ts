import { expect, it } from 'vitest'
import { benchOk, refused, shareProcess } from '../../helpers/runs/cli.ts'

shareProcess()

it('bench help lists the guides by group, and prints a guide, a section of it, or the options of a command', async () => {
  expect(await benchOk(['help'])).toMatch(
    /^Start\n {2}start-ci +Start: in CI\n[\s\S]*\nYour tasks\n[\s\S]*own-questions +Questions in a spreadsheet/m,
  )
  expect(await benchOk(['help', 'own-questions'])).toMatch(/^Questions in a spreadsheet\n-+\n/)
  expect(await benchOk(['help', 'own', 'questions'])).toBe(await benchOk(['help', 'own-questions']))
  expect(await benchOk(['help', 'compare#read-it'])).toMatch(/^Read it\n/)
  expect(await benchOk(['help', 'compare'])).toMatch(/^Options: bench compare --help\n\nCompare methods\n/)
  expect(await benchOk(['help', 'report'])).toBe(await benchOk(['report', '--help']))
  expect(await benchOk(['help', 'tasks', 'new', 'question'])).toMatch(/^Usage: bench tasks new question /)
})

it('bench help finds words in all guides, with the command that prints the place', async () => {
  const found = await benchOk(['help', 'decimal', 'comma'])
  expect(found).toMatch(/^decimal comma: \d+ sections?/)
  const [, place = ''] = /^bench help (\S+)$/m.exec(found) ?? []
  expect(await benchOk(['help', place])).toMatch(/decimal/)
  await refused(
    ['help', 'qwertz'],
    ['no guide, command or page with this word. Write other words, or bench help'],
  )
})
