#!/usr/bin/env node
import type { Command } from 'commander'

// Nothing is imported here but what a call needs: help must not cost what a run costs, nor a version what help costs.
type Action = (...args: unknown[]) => Promise<number>

/** Loads a command's module when it is called; its number is the exit code. */
const action =
  (load: () => Promise<{ default: (...args: never[]) => Promise<number> }>) =>
  async (...args: unknown[]) => {
    const { default: command } = await load()
    // Commander hands over itself last, which no command needs.
    process.exitCode = await (command as Action)(...args.slice(0, -1))
    // An agent that goes on although its call was cut off must not keep the process.
    if (process.exitCode === 130) process.exit()
  }

async function build(): Promise<Command> {
  const { Command } = await import('commander')
  const { collect, runFlags } = await import('./commands/run-flags.ts')
  const { heedRepeats } = await import('./commands/repeated.ts')
  const program = new Command('bench')
    .description(
      'Which way of organising agents is worth its money: runs methods on tasks, and compares them.',
    )
    .version('', '-V, --version', 'print the version')
    .exitOverride()
    .configureHelp({ showGlobalOptions: false })

  runFlags(
    program
      .command('run', { isDefault: true })
      .description('run methods on tasks, or go on with a run (the default command)'),
  ).action(action(() => import('./commands/run.ts')))
  program
    .command('init')
    .description('write a commented bench.config.yaml, and its JSON Schema for editors')
    .action(action(() => import('./commands/init.ts')))
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
    .option('--json', 'print JSON')
    .action(action(() => import('./commands/doctor.ts')))
  for (const command of program.commands) {
    heedRepeats(command)
    command.showHelpAfterError(`See bench ${command.name()} --help.`)
  }
  return program
}

const helps = new Set(['--help', '-h', 'help'])

/** Whether a call asks for help and holds nothing else but names of commands: what it prints can hold no secret. */
const isForHelp = (argv: readonly string[]) =>
  argv.some((word) => helps.has(word)) && argv.every((word) => helps.has(word) || /^[a-z]{1,8}$/.test(word))

async function main(argv: readonly string[]): Promise<void> {
  if (argv.length === 1 && (argv[0] === '--version' || argv[0] === '-V')) {
    const { packageVersion } = await import('./package-root.ts')
    process.stdout.write(`${packageVersion()}\n`)
    return
  }
  try {
    if (argv.length === 0) {
      const { default: firstWords } = await import('./commands/first-words.ts')
      process.stdout.write(firstWords())
      return
    }
    if (!isForHelp(argv)) {
      const { escapeOutput } = await import('./commands/escape-output.ts')
      escapeOutput()
      const { redactOutput } = await import('./commands/redact-output.ts')
      redactOutput(argv, process.env)
    }
    const program = await build()
    const [first] = argv
    if (
      first !== undefined &&
      !first.startsWith('-') &&
      !program.commands.some((command) => command.name() === first || first === 'help')
    ) {
      const { default: unknownCommand } = await import('./commands/unknown-command.ts')
      unknownCommand(
        first,
        program.commands.map((command) => command.name()),
      )
    }
    await program.parseAsync(argv, { from: 'user' })
  } catch (error) {
    const { name, exitCode } = error as Error & { exitCode?: number }
    // Commander's way to end a call for help.
    if (name === 'CommanderError') process.exitCode = exitCode === 0 ? 0 : 2
    else {
      const { tellError } = await import('./commands/tell-error.ts')
      process.exitCode = tellError(error as Error)
    }
  }
}

// Progress that nobody reads is no reason to stop.
process.stderr.on('error', () => {})

// A closed pipe (bench … | head) is no fault.
process.stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
  if (code === 'EPIPE') process.exit(0)
  process.stderr.write(
    `bench: what it prints cannot be written (${code ?? message}). Make room, or send it elsewhere.\n`,
  )
  process.exit(1)
})

let isAnswered = false
// Node's own number for a program that waits for what never comes. It may yet be answered: somebody may end the wait.
const unanswered = 13
process.on('beforeExit', () => {
  if (!isAnswered) process.exitCode = unanswered
})
process.on('exit', (code) => {
  if (code !== unanswered || isAnswered) return
  process.stderr.write('bench broke: it waits for something that never comes. This is a fault of bench.\n')
  process.exitCode = 1
})
void main(process.argv.slice(2)).finally(() => {
  isAnswered = true
  // Most processes are over long before.
  setTimeout(async () => {
    const { endLeftovers } = await import('./commands/end-leftovers.ts')
    endLeftovers()
  }, 3000).unref()
})
