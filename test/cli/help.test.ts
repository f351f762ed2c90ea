import { Command } from 'commander'
import { expect, it } from 'vitest'
import { addCommands, commandGroups } from '../../src/commands/declared/commands.ts'
import { settingEntries, settingTopics } from '../../src/schema/settings/settings.ts'
import { benchOk } from '../helpers/runs/cli.ts'

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
