import { type Command, Option } from 'commander'
import { type SettingName, settings, settingTopics } from '../../schema/settings/settings.ts'

/** An option that may be repeated; its value is the list of all values. */
export function repeatableOption(flag: string, help: string): Option {
  const collect = (value: string, all: string[]): string[] => [...all, value]
  return new Option(flag, help).argParser(collect).default([], 'none')
}

/** A command with so many options of `bench run` has headings in its help. */
const manyOptions = 12

/** Adds options of `bench run` to a command, all by default, in groups by topic. They parse to `RunOptions`. */
export function addRunFlags(command: Command, only?: readonly SettingName[]): Command {
  const hasTopics = only === undefined || only.length > manyOptions
  for (const [topic, names] of Object.entries(settingTopics))
    for (const name of names) {
      if (only && !only.includes(name)) continue
      const { flag, help, value } = settings[name]
      const option = value === 'texts' ? repeatableOption(flag, help) : new Option(flag, help)
      command.addOption(hasTopics ? option.helpGroup(topic) : option)
    }
  return command
}
