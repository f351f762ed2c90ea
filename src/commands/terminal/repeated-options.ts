import type { Command } from 'commander'

/**
 * Handles options that are given twice. A list option joins its values; any other option is an error, in the format of
 * commander's own errors.
 */
export function checkRepeatedOptions(command: Command): void {
  for (const option of command.options) {
    if (!option.required || option.parseArg) continue
    option.argParser((value: string, before: string) => {
      if (command.getOptionValueSource(option.attributeName()) !== 'cli' || before === value) return value
      if (option.flags.endsWith('<list>')) return `${before},${value}`
      return command.error(
        `error: option '${option.flags}' is given twice, as ${before} and as ${value}, but takes one value. Remove one.`,
      )
    })
  }
}
