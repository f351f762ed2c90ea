import type { Command } from 'commander'
import { UserError } from '../../text/errors.ts'
import { addRunFlags, repeatableOption } from '../config/run-flags.ts'
import type { CommandAction } from './running.ts'

/** Adds the commands that list and check what a run can name. */
export function addListing(program: Command, action: CommandAction): void {
  addTasksCommands(program, action)
  program
    .command('methods')
    .argument('[name]', 'a method, or a strategy file; NAME:DOCUMENT shows it with that document')
    .description('list the methods, or show one with its flow, roles, options and documents')
    .option('--personas', 'list the personas of its documents, or of all shipped ones, with their files')
    .option('--format <name>', 'text or json (default: text)')
    .option('--json', 'same as --format json')
    .action(action(() => import('../methods.ts')))
  program
    .command('plan')
    .argument(
      '[file]',
      'a graph document, as after dag: in --methods: FILE, FILE#WORKFLOW, or a shipped name',
    )
    .description('check a graph document, and show the plan that it makes')
    .option('--format <name>', 'text, json, mermaid or dot (default: text)')
    .option('--json', 'same as --format json')
    .option('--schema', 'print the JSON Schema of graph documents instead')
    .action(action(() => import('../plan.ts')))
  program
    .command('check')
    .argument(
      '[files...]',
      'workflows of states, graph documents or workflows of stages, or their shipped names',
    )
    .description('report all mistakes of documents at once, with line and remedy')
    .option('--schema', 'print the JSON Schema of workflows of states instead')
    .action(action(() => import('../check.ts')))
  program
    .command('agents')
    .description('list the agent providers, the reasons for failed calls, and the faults for --inject')
    .option('--json', 'print JSON')
    .action(action(() => import('../agents.ts')))
  program
    .command('tools')
    .argument('[words...]', 'words to search for; `show NAME` describes one tool')
    .description('list the external tools that a chain can start, search them, or show one; it starts none')
    .option('--json', 'print JSON')
    .action(action(() => import('../discovery/list-tools.ts')))
  addRunsCommands(program, action)
  addRecording(program, action)
  program
    .command('import')
    .argument(
      '<words...>',
      'a format, if it cannot be recognised, and files or folders, each as PATH or LABEL=PATH',
    )
    .description('make a run of the results of another harness, for report, compare and power')
    .option('-o, --out <folder>', 'the folder of the new run')
    .option('--score <name>', 'of results with several scores, rewards or metrics: the one that decides')
    .option('--columns <pairs>', 'of a table: what its columns hold, as task=COLUMN,passed=COLUMN')
    .option('--task-list <file>', 'of SWE-bench: all instances, one a line')
    .option(
      '--clusters',
      'of SWE-bench and Terminal-Bench: count tasks of one repository or family as one unit',
    )
    .option('--baseline <row>', 'compare every row with this one, instead of all pairs')
    .option('--ungraded <as>', 'trials without a verdict are missing or failed', 'missing')
    .option('--price', 'price trials whose cost the files do not state, from their tokens by list prices')
    .option('--prices <file>', 'the same by your prices first, named by models as in the files')
    .option('--skip-invalid', 'leave out what cannot be read, and count it')
    .action(action(() => import('../imports/import-results.ts')))
}

function addRunsCommands(program: Command, action: CommandAction): void {
  const runs = program
    .command('runs')
    .argument('[folder]', 'folder that holds the run folders', 'results')
    .description('list the runs in a folder; `bench runs prune --older-than 30d` removes old ones')
    .option('--json', 'print JSON')
    .action(action(() => import('../runs.ts')))
  runs
    .command('join')
    .argument(
      '<shards...>',
      'folders of bench run --shard K/N of one run, or of runs that were joined before',
    )
    .option('-o, --out <dir>', 'a new folder for the run; required')
    .description('put the shards of a run together again, as the run folder of the whole run')
    .action(action(() => import('../join.ts')))
  runs
    .command('prune')
    .argument('[folder]', 'folder that holds the run folders', 'results')
    .description('remove old runs, except those that are published, running or unfinished')
    .option('--older-than <age>', 'remove runs that were last written before: 30d, 12h, 2w')
    .option('--dry-run', 'only list what would be removed')
    .option('--include-unfinished', 'also remove runs that are not finished, such as parked ones')
    .option('--yes', 'remove them without asking')
    .option(
      '--queue <url>',
      'remove what a database holds of old runs that nobody works on, instead of folders',
    )
    .action(action(() => import('../prune.ts')))
}

/** Adds the options that select among tasks to a command that has no other seed. */
const addFilterFlags = (command: Command): Command =>
  addRunFlags(command, ['tag', 'where', 'sample'])
    .option('--seed <n>', 'seed of the sample (default: 1)')
    .option('--skip-invalid', 'leave out tasks of NAME:PATH that cannot be read, and count them')

/** Adds `bench tasks` and its subcommands, of which `list` is the default. */
function addTasksCommands(program: Command, action: CommandAction): void {
  const tasks = program.command('tasks').description('list, prove and write tasks')
  addFilterFlags(
    tasks
      .command('list', { isDefault: true })
      .argument('[selection]', 'tasks, as for bench run --tasks; a single task is shown in detail')
      .description('list tasks, or show one (the default: bench tasks NAME)'),
  )
    .option('--json', 'print JSON')
    .action(action(() => import('../tasks/list.ts')))
  addFilterFlags(
    tasks
      .command('check')
      .argument('[selection]', 'tasks, as for bench run --tasks (default: all built-in tasks)')
      .description(
        'prove each task: its reference passes, handing in nothing and its mutants fail, twice and in another order',
      ),
  )
    .option('--json', 'print JSON')
    .option('--parallel <n>', 'tasks to prove at the same time (default: number of processors)')
    .option('--quick', 'one round, and no generated mutants')
    .option('--trust-code', 'run the functions that a table names in its column of graders; read them first')
    .option(
      '--mutants <n>',
      'small errors that bench makes in each reference, tried once; one that passes is listed and fails no proof (default: 4; with --quick: 0)',
    )
    .action(action(() => import('../tasks/check.ts')))
  addFilterFlags(
    tasks
      .command('import')
      .argument('<source>', 'tasks, as for bench run --tasks: NAME:PATH[?column=…][:slice]')
      .description('write tasks as folders in the native format, to edit and keep them'),
  )
    .option('--out <dir>', 'a new folder for the tasks; its name is the name of their suite')
    .option('--licence <name>', 'the licence of the tasks (default: what the source says)')
    .option('--source <text>', 'where the tasks come from (default: what the source says)')
    .action(action(() => import('../tasks/import.ts')))
  addNewCommands(tasks, action)
}

const outHelp = 'the folder that holds the new task, a suite of yours'
const usualOut = 'my-tasks'

/** Adds `bench tasks new` and its subcommands. */
function addNewCommands(tasks: Command, action: CommandAction): void {
  const made = tasks
    .command('new')
    .description('write a task: of a commit of your repository (the default), a question, or a function')
  made
    .command('commit', { isDefault: true })
    .description(
      "make a task of a commit (the default): bench tasks new --repo . --commit C --tests 'npm test'",
    )
    .option('--repo <dir>', 'the repository; it is only read')
    .option(
      '--commit <commit>',
      'the commit that the task is about: its tests grade, the rest is the solution',
    )
    .option('--tests <command>', "the command that runs the tests, such as 'npm test'")
    .option(
      '--test-files <globs>',
      'which files are tests (default: test folders, *.test.*, test_*.py and the like)',
    )
    .option('--only <globs>', 'take only these paths of the repository, such as src/**,test/**,package.json')
    .addOption(
      repeatableOption(
        '--include <path>',
        'a path that is not in git, such as node_modules/left-pad; may be repeated',
      ),
    )
    .option('--requires <list>', 'more programs and packages that the tests need, such as python:numpy')
    .option('--instruction <file>', "the text of the task (default: the commit's message)")
    .option('--title <text>', 'the title (default: the first line of the message)')
    .option('--id <name>', 'the name of the task (default: repository and commit)')
    .option('--timeout <s>', 'the longest time of one run of the tests (default: 120)')
    .option('-o, --out <dir>', outHelp, usualOut)
    .action(action(() => import('../repository/new-commit.ts')))
  const question = made
    .command('question')
    .description(
      'write a task that asks for an answer; what is not given is asked for. For many, take a spreadsheet: csv:FILE',
    )
    .option('--question <text>', 'the question')
    .option('--answer <text>', 'the right answer')
    .option('--options <list>', 'for a choice: the options, separated by |')
    .option('--tolerance <x>', 'for a number: how far an answer may be away (default: 0)')
  const code = made
    .command('code')
    .description('write a task for one function, as an example that works; what is not given is asked for')
    .option('--language <name>', 'javascript, typescript or python')
    .option('--function <name>', 'the name of the function')
  for (const command of [question, code])
    command
      .option('--id <name>', 'the name of the task')
      .option('--title <text>', 'the title (default: the question, or the name of the function)')
      .option('--tag <list>', 'words to select it by, comma-separated')
      .option('-o, --out <dir>', outHelp, usualOut)
  question.action(action(() => import('../tasks/new-question.ts')))
  code.action(action(() => import('../tasks/new-code.ts')))
}

const importHelp = `
FILES are lines { task, reply, usage, prompt } of another harness, plain
or gzipped, or folders of live runs of bench, whose replies to the tasks
alone become those of a recorded agent. Bench lists what it leaves out or
does not believe. See bench help recorded.`

function addRecording(program: Command, action: CommandAction): void {
  const replies = program
    .command('replies')
    .description('make files of recorded replies for --agents recorded:FILE: bench replies import')
    .action(() => {
      throw new UserError({
        where: 'bench replies',
        what: 'needs a command',
        fix: 'Write bench replies import FILES --out replies.jsonl.gz.',
      })
    })
  replies
    .command('import')
    .argument(
      '<files...>',
      'files of replies of one model, or of results (see bench import), or folders of runs',
    )
    .description('make a file of recorded replies from those of another harness, or from runs of bench')
    .option('-o, --out <file>', 'the file to write, .jsonl or .jsonl.gz')
    .option('--tasks <selection>', 'the tasks that were answered, as for bench run --tasks')
    .option('--model <name>', 'the model that replied (of a run: the agent)')
    .option('--source <text>', 'who recorded the replies (of a run: the run)')
    .option('--licence <name>', 'the licence of the replies')
    .option('--date <day>', 'when they were recorded, such as 2025 or 2025-03-31 (of a run: its day)')
    .option('--agent <name>', 'of runs or results with several agents: the one whose replies are taken')
    .addHelpText('after', importHelp)
    .action(action(() => import('../replies/import.ts')))
}
