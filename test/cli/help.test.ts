import { Command } from 'commander'
import { expect, it } from 'vitest'
import { addCommands, commandGroups } from '../../src/commands/declared/commands.ts'
import { settingEntries, settingTopics } from '../../src/schema/settings/settings.ts'
import { benchOk, refused } from '../helpers/runs/cli.ts'

it('every command is in one group of bench --help', () => {
  const program = new Command()
  addCommands(program, () => async () => {})
  const names = program.commands.map((command) => command.name())
  expect(names).toEqual(Object.values(commandGroups).flat())
})

it('every option of bench run is under one heading of its help', () => {
  expect(Object.values(settingTopics).flat().sort()).toEqual(settingEntries.map(([name]) => name).sort())
})

it('bench --help lists the commands in groups, and bench run --help its options by topic', async () => {
  expect(await benchOk(['--help'])).toMatchSnapshot()
  const headings = (await benchOk(['run', '--help'])).match(/^\w.*:$/gm)
  expect(headings).toEqual([...Object.keys(settingTopics), 'Options:'])
})

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
