import type { Command, Option } from 'commander'
import { UserError } from '../../text/errors.ts'
import { didYouMean } from '../../text/near-word.ts'

/** Refuses a wrong use of a command in the words of bench, not of the parser. `typed` is its name with those above it. */
export function checkUsage(command: Command, typed: string): void {
  const see = `See ${typed} --help.`
  const refuse = (where: string, what: string, fix = see): never => {
    throw new UserError({ where, what, fix })
  }
  const takesLists = command.options.some(({ flags }) => flags.endsWith('<list>'))
  // The parser calls these methods of its own, which would print and exit.
  Object.assign(command, {
    unknownOption(flag: string) {
      const known = command.options.flatMap(({ long }) => long ?? [])
      const [name = flag] = flag.split('=')
      if (known.includes(name)) refuse(name, 'takes no value')
      const near = didYouMean(name, known)
      refuse(flag, `is not an option of ${typed}`, near && `${near} ${see}`)
    },
    missingArgument: (name: string) => refuse(typed, `needs <${name}>`),
    optionMissingArgument: ({ flags }: Option) => refuse(flags, 'needs a value'),
    _excessArguments: (given: string[]) =>
      refuse(
        given[command.registeredArguments.length] ?? typed,
        `is more than ${typed} takes`,
        takesLists ? `Write several values with commas, as in A,B. ${see}` : see,
      ),
  })
  for (const option of command.options) {
    if (!option.required || option.parseArg) continue
    option.argParser((value: string, before: string) => {
      if (command.getOptionValueSource(option.attributeName()) !== 'cli' || before === value) return value
      if (option.flags.endsWith('<list>')) return `${before},${value}`
      const what = `is given twice, as ${before} and as ${value}, but takes one value`
      return refuse(option.flags, what, 'Remove one.')
    })
  }
}
