import type { Command } from 'commander'

/**
 * Makes an option that is given twice mean both where it takes a list, and a mistake where it takes one value. Told as
 * commander tells its own mistakes.
 */
export function checkRepeatedOptions(command: Command): void {
  for (const option of command.options) {
    if (!option.required || option.parseArg) continue
    option.argParser((value: string, before: string) => {
      if (command.getOptionValueSource(option.attributeName()) !== 'cli' || before === value) return value
      if (option.flags.endsWith('<list>')) return `${before},${value}`
      return command.error(
        `error: option '${option.flags}' stands twice, as ${before} and as ${value}, and takes one value. Leave one out.`,
      )
    })
  }
}
