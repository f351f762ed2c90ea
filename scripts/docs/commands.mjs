// Lists commands from their declarations, from which --help comes, too.
import { Command } from 'commander'
import { createJiti } from 'jiti'

const jiti = createJiti(import.meta.url)

/** Returns a Markdown list of all commands by group, each with its description and the names of its options. */
export async function commandList() {
  const program = new Command('bench')
  const { addCommands, commandGroups } = await jiti.import('../../src/commands/declared/commands.ts')
  addCommands(program, () => () => undefined)
  const shared = optionsOf(program.commands.find((command) => command.name() === 'run'))
  return Object.entries(commandGroups)
    .map(([heading, names]) => {
      const commands = program.commands.filter((command) => names.includes(command.name()))
      return `${heading}\n\n${commands.flatMap((command) => linesOf(command, 'bench', shared)).join('\n')}`
    })
    .join('\n\n')
}

const optionsOf = (command) =>
  command.options.filter(({ hidden }) => !hidden).map(({ long, short }) => long ?? short)

function linesOf(command, parent, shared) {
  const typed = `${parent} ${command.name()}`
  const words = command.registeredArguments.map((one) => {
    const word = one.name().toUpperCase() + (one.variadic ? '…' : '')
    return ` ${one.required ? word : `[${word}]`}`
  })
  const all = optionsOf(command)
  const ofRun = typed === 'bench run' ? [] : all.filter((name) => shared.includes(name))
  // Commands that run something take dozens of options of `bench run`.
  const own = ofRun.length > 12 ? all.filter((name) => !shared.includes(name)) : all
  const options = own.map((name) => `\`${name}\``).join(' ')
  const rest = ofRun.length > 12 ? `${ofRun.length} of \`bench run\`` : ''
  const tail = [options, rest].filter((text) => text !== '').join(' and ')
  const line = `- **\`${typed}${words.join('')}\`**: ${command.description()}${tail && `. ${tail}`}`
  return [line, ...command.commands.flatMap((one) => linesOf(one, typed, shared))]
}
