import type { Command } from 'commander'
import { UserError } from '../../text/errors.ts'
import { repeatableOption } from '../config/run-flags.ts'
import type { CommandAction } from './running.ts'

const showHelp = `
--failed, --method and --task can be combined: a trial is listed
if it fits all of them. They filter the list of a run, so they
cannot be combined with TRIAL or with tables. --methods can be
combined only with --task, --full and --no-answers.`

/** Adds the commands that look into a run or into this machine. */
export function addInspecting(program: Command, action: CommandAction): void {
  program
    .command('show')
    .argument('<run>', 'a run folder, its name in results/ or the beginning of it, or latest')
    .argument('[trial]', 'trial id, or its beginning')
    .description('show a run, one trial as a story, or one task under two methods')
    .option('--failed', 'list only trials that did not pass or are missing')
    .option('--method <name>', 'list only trials of this method')
    .option('--task <name>', 'list only trials of this task; with --methods: the task to compare them on')
    .option('--methods <a,b>', 'with --task: answers or files, diff, verdicts and cost of two methods')
    .option('--full', 'print prompts, replies, answers and diffs in full')
    .option('--no-answers', 'leave out the right answers, which are read from the tasks: for shared screens')
    .option('--transitions', 'print the states of workflows: visits, results, agents')
    .option('--breaks', 'print the rules of workflows that broke, and what was decided')
    .option('--tokens', 'print tokens and cost by state, agent and session, and how full contexts were')
    .option('--json', 'print the trials, the trial with its steps, the two methods or the table as JSON')
    .addHelpText('after', showHelp)
    .action(action(() => import('../show.ts')))
  addViewing(program, action)
  program
    .command('replay')
    .argument('<run>', 'a run folder, its name in results/ or the beginning of it, or latest')
    .argument('[trial]', 'trial id, or its beginning (default: all trials)')
    .description('run trials again from the journal alone, without agents, and report where they diverge')
    .option('--regrade', 'grade again, and report which scores differ')
    .option('--trust-code', "run the code that somebody else's run names; read it first")
    .option(
      '--allow-unsandboxed',
      'with --regrade: run code of paid agents even if the sandbox does not stop every attack',
    )
    .option('--times <n>', 'number of replays; all must agree', '1')
    .option('--json', 'print JSON')
    .action(action(() => import('../replay.ts')))
  program
    .command('state')
    .argument(
      '[run]',
      'a run folder, its name in results/ or the beginning of it, or latest; inside a stage: a field of its state',
    )
    .argument('[trial]', 'trial id, or its beginning')
    .description("show the methods' journaled state, or set it while the run is stopped")
    .addOption(repeatableOption('--set <field=json>', 'set a field of the state; may be repeated'))
    .option('--json', 'inside a stage: print a text as JSON')
    .action(action(() => import('../state.ts')))
  addPeopleCommands(program, action)
  addGradeCommand(program, action)
  addJudgeCommands(program, action)
  program
    .command('reprice')
    .argument('<run>', 'a run folder, its name in results/ or the beginning of it, or latest')
    .description("show a run's calls at current prices beside what was billed; changes nothing")
    .option('--prices <file>', 'your own prices, which override the list prices')
    .option('--config <file>', 'file with prices and named agents (default: bench.config.yaml, if present)')
    .option('--no-config', 'ignore bench.config.yaml')
    .option('--json', 'print JSON')
    .action(action(() => import('../reprice.ts')))
  program
    .command('doctor')
    .description('show what is installed, what is missing and how to get it; shows no key')
    .option('--agents', 'show how to get each missing agent')
    .option('--call <agent>', 'ask an agent for one word, at the lowest possible cost')
    .option('--prices <file>', 'with --call: your own prices, which override the list prices')
    .option(
      '--allow-unsandboxed',
      'with --call: start an agent program even if the sandbox does not stop every attack',
    )
    .option('--trust-code', 'check what the config file and its documents name, as your own; read them first')
    .option('--json', 'print JSON')
    .action(action(() => import('../doctor.ts')))
  program
    .command('mcp')
    .argument('[folder]', 'folder that holds the run folders', 'results')
    .description('serve the runs to an MCP client, such as Claude Code, over stdin and stdout')
    .option('--allow-spend <usd>', 'the client may start runs that cost money, for so many dollars in all')
    .option('--control', 'the client may change the state of stopped trials')
    .action(action(() => import('../mcp.ts')))
}

/** Adds the command that shows runs in the browser. */
function addViewing(program: Command, action: CommandAction): void {
  program
    .command('view')
    .argument('[run]', 'a run, as for bench show, or a folder that holds runs (default: results)')
    .description('show runs in the browser, even while they run')
    .option('--port <n>', 'the port (default: any free port)')
    .option('--host <name>', 'another address of this machine than 127.0.0.1, for other machines')
    .option('--control', 'approve, guide, pause and peek from the page; each is noted in the run')
    .option('--no-open', 'open no browser')
    .action(action(() => import('../view.ts')))
}

/** Adds the commands by which people take part in a run. */
function addPeopleCommands(program: Command, action: CommandAction): void {
  const run = ['<run>', 'a run folder, its name in results/ or the beginning of it, or latest'] as const
  program
    .command('approve')
    .argument(...run)
    .argument('[trial]', 'trial id, or its beginning')
    .argument('[answer]', "yes, abort, or what should change: 'Shorten the ending.'")
    .description('show what trials ask a person, or answer one; the run takes the answer when it is resumed')
    .action(action(() => import('../people/approve.ts')))
  program
    .command('guide')
    .argument(...run)
    .argument('<trial>', 'trial id, or its beginning')
    .argument('<state>', 'a state of its method')
    .argument('<text>', 'what to do differently')
    .description('tell a trial something about one state of its method, once, at its next checkpoint')
    .action(action(() => import('../people/guide.ts')))
  program
    .command('pause')
    .argument(...run)
    .description('stop a run in progress at the next checkpoint of each trial, so that it can be resumed')
    .action(action(() => import('../people/pause.ts')))
}

/** Adds the command that shows how a reply is read. */
function addGradeCommand(program: Command, action: CommandAction): void {
  program
    .command('grade')
    .argument('[reply]', 'the text of a reply; - reads it from the standard input')
    .description('show how a reply is read, and why; exit code 0 if it is right, 1 if it is not')
    .option(
      '--grader <kind>',
      'numeric, math, choice, exact, pattern, or tests (reads code or files, and runs nothing)',
    )
    .option('--answer <text>', 'the right answer')
    .addOption(
      repeatableOption('--options <text>', 'the options of a choice: a list with commas, or one each'),
    )
    .option('--tolerance <n>', 'how far a number may be off (default: 0)')
    .addOption(repeatableOption('--extract <regex>', 'an expression that finds the answer; may be repeated'))
    .addOption(repeatableOption('--require <regex>', 'with pattern: what must match; may be repeated'))
    .addOption(repeatableOption('--forbid <regex>', 'with pattern: what must not match; may be repeated'))
    .option('--language <name>', 'with tests: python, javascript or typescript (default: python)')
    .option('--entry-point <name>', 'with tests: the function that is wanted; without it, files are')
    .option('--schema <file>', 'read the data that fits a JSON Schema, instead of a grader')
    .option('--file <file>', 'read the reply from a file')
    .option('--json', 'print JSON')
    .action(action(() => import('../grade/grade.ts')))
}

const runHelp = 'a run folder, its name in results/ or the beginning of it, or latest'

/** Adds the commands that compare judges with people. */
function addJudgeCommands(program: Command, action: CommandAction): void {
  const judge = program
    .command('judge')
    .description(
      'compare the judges of a run with labels of people: bench judge sample, bench judge calibrate',
    )
    .action(() => {
      throw new UserError({
        where: 'bench judge',
        what: 'needs a command',
        fix: 'Write bench judge sample RUN, or bench judge calibrate RUN --labels FILE.',
      })
    })
  judge
    .command('sample')
    .argument('<run>', runHelp)
    .description(
      'write a CSV of judged answers for people to label, drawn at random and without names of methods',
    )
    .option('--n <n>', 'number of trials', '60')
    .option('--seed <n>', 'seed of the draw', '1')
    .option('--out <file>', 'write to this file instead of stdout')
    .option('--json', 'print JSON instead of a CSV')
    .action(action(() => import('../judge/sample.ts')))
  judge
    .command('calibrate')
    .argument('<run>', runHelp)
    .description(
      "print how the judges agree with labels of people, and the methods' success corrected by them",
    )
    .option('--labels <file>', 'CSV with the columns label, and trial or task, method and epoch')
    .option('--baseline <label>', 'the method that the others are compared with (default: as in the run)')
    .option('--json', 'print JSON')
    .option('--peek', 'look at a live run that is not whole')
    .action(action(() => import('../judge/calibrate.ts')))
}
