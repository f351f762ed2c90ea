#!/usr/bin/env node
import { Command, CommanderError } from 'commander'
import { packageVersion } from './base/package-root.ts'
import { addCommands } from './commands/declared/commands.ts'
import type { LoadCommand } from './commands/declared/running.ts'
import { checkUsage } from './commands/terminal/check-usage.ts'
import { reportError } from './commands/terminal/report-error.ts'
import {
  escapeOutput,
  guardOutput,
  redactOutput,
  watchCompletion,
} from './commands/terminal/standard-streams.ts'
import welcome from './commands/welcome.ts'
import { closeInherited } from './sandbox/machine/start-process.ts'

closeInherited()
guardOutput()
const completed = watchCompletion()
void main(process.argv.slice(2)).finally(completed)

async function main(argv: readonly string[]): Promise<void> {
  // What it writes holds prompts, replies and verdicts: nobody else may change it, whatever the umask of the caller is.
  process.umask(process.umask(0o077) | 0o022)
  try {
    escapeOutput()
    redactOutput(argv, process.env)
    if (argv.length === 0) process.stdout.write(welcome())
    else await call(createProgram(), argv)
  } catch (error) {
    // Commander has printed its own errors already. It also ends --help with an error.
    if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : 2
    else process.exitCode = reportError(error as Error)
  }
}

async function call(program: Command, argv: readonly string[]): Promise<void> {
  const [first = ''] = argv
  const names = program.commands.map((command) => command.name())
  if (!first.startsWith('-') && !names.includes(first)) {
    const { default: rejectUnknownCommand } = await import('./commands/terminal/unknown-command.ts')
    const below = program.commands.flatMap((command) =>
      command.commands.map((one) => `bench ${command.name()} ${one.name()}`),
    )
    rejectUnknownCommand(first, names, below)
  }
  if (argv.some((word) => ['--help', '-h', 'help'].includes(word))) await addFormatHelp(program, argv)
  await program.parseAsync(argv, { from: 'user' })
}

/** Adds the list of formats to the help of the commands that have some. The formats are loaded for that help alone. */
async function addFormatHelp(program: Command, argv: readonly string[]): Promise<void> {
  for (const name of ['report', 'compare', 'export'] as const) {
    if (!argv.includes(name)) continue
    const { formatHelp } = await import('./commands/report/format-help.ts')
    program.commands.find((command) => command.name() === name)?.addHelpText('after', formatHelp(name))
  }
}

function createProgram(): Command {
  const program = new Command('bench')
    .description(
      'Runs ways of organising agents (methods) on tasks, and reports which one is worth its cost.',
    )
    .version(packageVersion(), '-V, --version', 'print the version')
    .exitOverride()
    .configureHelp({ showGlobalOptions: false, subcommandTerm: (command) => command.name() })
    .addHelpText('after', '\nbench COMMAND --help lists the options of a command, bench help the guides.')
  addCommands(program, action)
  for (const command of program.commands) prepare(command, 'bench')
  return program
}

/** Prepares a command and its subcommands. `parent` is what is typed before its name. */
function prepare(command: Command, parent: string): void {
  const typed = `${parent} ${command.name()}`
  checkUsage(command, typed)
  for (const one of command.commands) prepare(one, typed)
}

/** Loads a command's module when the command is called, and sets the exit code that it returns. */
function action(load: LoadCommand): (...args: unknown[]) => Promise<void> {
  return async (...args) => {
    const { default: command } = await load()
    // Commander passes the Command object last; no command needs it.
    process.exitCode = await (command as (...args: unknown[]) => Promise<number>)(...args.slice(0, -1))
    // An agent that ignores the abort of its call must not keep the process alive.
    if (process.exitCode === 130) process.exit()
  }
}
