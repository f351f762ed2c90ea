#!/usr/bin/env node
import { Command, CommanderError } from 'commander'
import { packageVersion } from './base/package-root.ts'
import { collect, runFlags } from './commands/config/run-flags.ts'
import { escapeOutput } from './commands/terminal/escape-output.ts'
import { guardOutput } from './commands/terminal/guard-output.ts'
import { redactOutput } from './commands/terminal/redact-output.ts'
import { heedRepeats } from './commands/terminal/repeated.ts'
import { tellError } from './commands/terminal/tell-error.ts'
import { watchEnd } from './commands/terminal/watch-end.ts'
import welcome from './commands/welcome.ts'

guardOutput()
const answered = watchEnd()
void main(process.argv.slice(2)).finally(answered)

async function main(argv: readonly string[]): Promise<void> {
  try {
    escapeOutput()
    redactOutput(argv, process.env)
    if (argv.length === 0) process.stdout.write(welcome())
    else await call(createProgram(), argv)
  } catch (error) {
    // Commander has told its own, and ends a call for help in this way.
    if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : 2
    else process.exitCode = tellError(error as Error)
  }
}

async function call(program: Command, argv: readonly string[]): Promise<void> {
  const [first = ''] = argv
  const names = program.commands.map((command) => command.name())
  if (!first.startsWith('-') && ![...names, 'help'].includes(first)) {
    const { default: unknownCommand } = await import('./commands/terminal/unknown-command.ts')
    unknownCommand(first, names)
  }
  await program.parseAsync(argv, { from: 'user' })
}

function createProgram(): Command {
  const program = new Command('bench')
    .description(
      'Which way of organising agents is worth its money: runs methods on tasks, and compares them.',
    )
    .version(packageVersion(), '-V, --version', 'print the version')
    .exitOverride()
    .configureHelp({ showGlobalOptions: false })
  addRunning(program)
  addListing(program)
  addComparing(program)
  addLookingInto(program)
  for (const command of program.commands) {
    heedRepeats(command)
    command.showHelpAfterError(`See bench ${command.name()} --help.`)
  }
  return program
}

function addRunning(program: Command): void {
  runFlags(
    program
      .command('run', { isDefault: true })
      .description('run methods on tasks, or go on with a run (the default command)'),
  ).action(action(() => import('./commands/run.ts')))
  program
    .command('init')
    .description('write a commented bench.config.yaml, and its JSON Schema for editors')
    .action(action(() => import('./commands/init.ts')))
}

function addListing(program: Command): void {
  program
    .command('tasks')
    .argument('[selection]', 'as for --tasks; one task shows its details')
    .description(
      'list tasks; `bench tasks check [selection]` proves them: solved by the oracle, failed by a no-op',
    )
    .argument('[more]', 'the selection after `check`')
    .option('--json', 'print JSON')
    .option('--parallel <n>', 'tasks at once for check')
    .action(action(() => import('./commands/tasks.ts')))
  program
    .command('methods')
    .argument('[name]')
    .description('list the strategies, or show one with its diagram, roles and options')
    .option('--format <name>', 'text or json (default: text)')
    .option('--json', 'same as --format json')
    .action(action(() => import('./commands/methods.ts')))
  program
    .command('agents')
    .description('list the providers of agents')
    .option('--json', 'print JSON')
    .action(action(() => import('./commands/agents.ts')))
  program
    .command('runs')
    .argument('[folder]', 'where the run folders are', 'results')
    .description('list runs')
    .option('--json', 'print JSON')
    .action(action(() => import('./commands/runs.ts')))
}

function addComparing(program: Command): void {
  program
    .command('report')
    .argument('<runs...>')
    .description('what a run came to, and how its methods compare')
    .option('--format <name>', 'text, markdown, latex, csv, json; html: a page; svg, pdf: figures', 'text')
    .option('--baseline <label>', 'compare with this method')
    .option('--tasks', 'the table by task, too')
    .option('--pairs', 'the comparison of pairs alone')
    .option('--interactions', 'how the difference of methods depends on the agents, alone')
    .option('--coordination', 'how agents worked together, alone: overhead, messages, contexts, error flow')
    .option('--out <path>', 'a file instead of stdout; of svg and pdf a folder')
    .option('--figure <name>', 'of svg and pdf one figure alone: success, ranks, …')
    .option('--junit <file>', 'write the trials as a JUnit file, too')
    .action(action(() => import('./commands/report.ts')))
  program
    .command('compare')
    .argument('<a>', '[RUN:]METHOD; RUN: the latest when absent')
    .argument('<b>', '[RUN:]METHOD')
    .description('two methods of a run or of two runs, side by side')
    .option('--format <name>', 'text, markdown, latex, csv or json', 'text')
    .action(action(() => import('./commands/compare.ts')))
  program
    .command('power')
    .argument('[run]', 'a pilot, or a finished run; without one a pilot is simulated')
    .description('how many tasks it takes to find a difference between methods')
    .option('--difference <points>', 'the difference to be found, in percentage points', '10')
    .option('--power <percent>', 'the chance to find it', '80')
    .option('--epochs <n>', 'plan for so many epochs a task (default: as in the run; of a simulation 1)')
    .option('--tasks <list>', 'without a run: as for bench run')
    .option('--methods <list>', 'without a run: as for bench run')
    .option('--profile <name|file>', 'without a run: behaviour of the simulated agents (default: default)')
    .option('--family <pairs>', 'without a run: all, or each with the baseline (default: all)')
    .option('--baseline <label>', 'without a run: the method that the others are compared with')
    .option('--outcome <name>', 'without a run: success or score (default: success)')
    .option('--seed <n>', 'without a run: seed of the simulation (default: 1)')
    .option('--json', 'print JSON')
    .action(action(() => import('./commands/power.ts')))
}

function addLookingInto(program: Command): void {
  program
    .command('show')
    .argument('<run>')
    .argument('[trial]', 'id, or the beginning of one')
    .description('read a run, or one trial like a story')
    .option('--full', 'prompts and replies unshortened')
    .action(action(() => import('./commands/show.ts')))
  program
    .command('replay')
    .argument('<run>')
    .argument('[trial]')
    .description('run trials again from the journal alone, and tell where that diverges')
    .option('--regrade', 'grade again, and tell which scores differ')
    .option('--trust-code', 'run the code that a run of somebody else names; read it first')
    .option(
      '--allow-unsandboxed',
      'with --regrade: run code of paid agents also where the sandbox does not hold every attack',
    )
    .option('--times <n>', 'replay so many times; all must agree', '1')
    .option('--json', 'print JSON')
    .action(action(() => import('./commands/replay.ts')))
  program
    .command('state')
    .argument('<run>')
    .argument('[trial]', 'id, or the beginning of one')
    .description("read the methods' journaled state, or set it while the run is stopped")
    .option('--set <field=json>', 'a field of the state; may be repeated', collect, [])
    .action(action(() => import('./commands/state.ts')))
  program
    .command('reprice')
    .argument('<run>')
    .description("a run's calls at present prices, beside what they were billed; changes nothing")
    .option('--prices <file>', 'prices of your own, which win over the table of list prices')
    .option('--json', 'print JSON')
    .action(action(() => import('./commands/reprice.ts')))
  program
    .command('doctor')
    .description('what is here, what is missing, and how to get it; agents included, no key shown')
    .option('--agents', 'each agent that is missing on lines of its own, with how to get it')
    .option('--call <agent>', 'ask an agent for one word, for the least that this can cost')
    .option(
      '--allow-unsandboxed',
      'with --call: start an agent that is a program also where the sandbox does not hold every attack',
    )
    .option('--json', 'print JSON')
    .action(action(() => import('./commands/doctor.ts')))
}

type Action<Result> = (...args: unknown[]) => Promise<Result>

/** Loads a command's module when it is called; its number is the exit code. */
function action(load: () => Promise<{ default: (...args: never[]) => Promise<number> }>): Action<void> {
  return async (...args) => {
    const { default: command } = await load()
    // Commander hands over itself last, which no command needs.
    process.exitCode = await (command as Action<number>)(...args.slice(0, -1))
    // An agent that goes on although its call was cut off must not keep the process.
    if (process.exitCode === 130) process.exit()
  }
}
