import type { Command, Option } from 'commander'
import { UserError } from '../../text/errors.ts'
import { nearWord } from '../../text/near-word.ts'

/** Returns the command that a command without a further word is; undefined if it has none. */
export function usualCommand(command: Command | null): Command | undefined {
  const { _defaultCommandName: name } = (command ?? {}) as { _defaultCommandName?: string | null }
  return command?.commands.find((one) => one.name() === name)
}

/** Words that other tools have for an option, and what is written here. */
const elsewhere: readonly (readonly [words: string, option: string, written: string])[] = [
  ['--live', '--mode', '--mode live'],
  ['--model --models --provider --llm', '--agents', '--agents PROVIDER:MODEL'],
  ['--dataset --suite --questions --input', '--tasks', '--tasks csv:FILE'],
  ['--prompt --prompts', '--methods', "--methods 'baseline[prompt=FILE]'"],
  ['--strategy --strategies', '--methods', '--methods NAME'],
  ['--runs --repeat --repeats --repetitions --trials -n', '--epochs', '--epochs N'],
  ['--concurrency --workers --jobs -j', '--parallel', '--parallel N'],
  ['--budget --max-usd --max-dollars', '--max-cost', '--max-cost USD'],
  ['--output -o', '--out', '--out PATH'],
]

/** The option nearest to one that is mistyped. A letter alone stands for the one option that begins with it; `-v` for the version. */
function nearOption(name: string, known: readonly string[]): string | undefined {
  // Dashes are no letters that two words have in common.
  const near = nearWord(
    name.replace(/^-+/, ''),
    known.map((one) => one.slice(2)),
  )
  if (!/^-[a-z]$/i.test(name)) return near && `Did you mean --${near}?`
  const begun = name === '-v' ? ['--version'] : known.filter((one) => one[2] === name[1]?.toLowerCase())
  return begun.length === 0 || begun.length > 3 ? undefined : `Did you mean ${begun.join(' or ')}?`
}

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
      const [, , written] =
        elsewhere.find(([words, option]) => words.split(' ').includes(name) && known.includes(option)) ?? []
      const near = written ? `Write ${written}.` : nearOption(name, [...known, '--help', '--version'])
      refuse(flag, `is not an option of ${typed}`, near && `${near} ${see}`)
    },
    missingArgument: (name: string) => refuse(typed, `needs <${name}>`),
    missingMandatoryOptionValue: ({ flags, description }: Option) =>
      refuse(typed, `needs ${flags}`, `Add it: ${description}. ${see}`),
    optionMissingArgument: ({ flags }: Option) => refuse(flags, 'needs a value'),
    _excessArguments(given: string[]) {
      const [word = ''] = given
      // `bench tasks improt x` is read as `bench tasks list improt x`.
      const isUsual = usualCommand(command.parent) === command
      const [above, at] = isUsual ? [command.parent, typed.replace(/ \S+$/, '')] : [command, typed]
      const near = nearWord(
        word,
        (above?.commands ?? []).map((one) => one.name()),
      )
      if (near) refuse(`${at} ${word}`, 'is not a command', `Did you mean ${at} ${near}?`)
      refuse(
        given[command.registeredArguments.length] ?? typed,
        `is more than ${typed} takes`,
        takesLists
          ? `Write several values with commas, as in A,B, and put quotes around one with spaces. ${see}`
          : see,
      )
    },
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
