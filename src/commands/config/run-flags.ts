import { type Command, Option } from 'commander'
import { type SettingName, settingEntries } from '../../schema/settings/settings.ts'

/** An option that may be repeated; its value is the list of all values. */
export function repeatableOption(flag: string, help: string): Option {
  const collect = (value: string, all: string[]): string[] => [...all, value]
  return new Option(flag, help).argParser(collect).default([], 'none')
}

/** Adds options of `bench run` to a command, all by default. They parse to `RunOptions`. */
export function addRunFlags(command: Command, only?: readonly SettingName[]): Command {
  for (const [name, { flag, help, value }] of settingEntries) {
    if (only && !only.includes(name)) continue
    command.addOption(value === 'texts' ? repeatableOption(flag, help) : new Option(flag, help))
  }
  return command
}
