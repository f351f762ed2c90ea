import type { Command } from 'commander'
import { settings, settingsIn } from '../../schema/settings/settings.ts'
import { addRunFlags, repeatableOption } from '../config/run-flags.ts'

/** Loads the module of a command, whose function returns the exit code. */
export type LoadCommand = () => Promise<{ default: (...args: never[]) => Promise<number> }>

/** Returns what Commander calls: it loads the command's module when the command is called. */
export type CommandAction = (load: LoadCommand) => (...args: unknown[]) => Promise<void>

/** Adds the commands that run methods. */
export function addRunning(program: Command, action: CommandAction): void {
  addRunFlags(
    program
      .command('run', { isDefault: true })
      .description('run methods on tasks, or resume a run (the default command)'),
  ).action(action(() => import('../run.ts')))
  addRunFlags(program.command('work').description('do blocks of the runs of bench run --queue'), [
    'queue',
    'share',
    'parallel',
    'sandbox',
    'allowUnsandboxed',
    'trustCode',
    'quiet',
  ])
    .option('--keep', 'wait for more blocks when none is left, until Ctrl-C')
    .option(
      '--lease <s>',
      'seconds after which the block of a worker that says nothing is given to another (default: 30)',
    )
    .action(action(() => import('../queue/work.ts')))
  const input = 'the text of an output that the state reads; may be repeated'
  addRunFlags(
    program
      .command('step')
      .argument('<file>', 'a workflow of method fanout: a file, or a shipped name')
      .argument('<state>', 'the state to run')
      .description('run one state of a workflow alone, on the texts that it would read')
      .addOption(repeatableOption('--input <path=file>', input))
      .option('--task <name>', 'the task to work on')
      .option('--request <text>', 'a free request to work on, instead of a task; not graded')
      .option('-o, --out <dir>', settings.out.help),
    settingsIn('part'),
  ).action(action(() => import('../part/step.ts')))
  addStageCommands(program, action)
  program
    .command('init')
    .description('write a commented bench.config.yaml and its JSON Schema for editors')
    .action(action(() => import('../init.ts')))
}

/** Adds the commands for stages of chains. */
function addStageCommands(program: Command, action: CommandAction): void {
  program
    .command('ask')
    .argument('<role>', 'a role that the stage may ask')
    .argument('[prompt]', 'what to ask; without it, or with -, it is read from stdin')
    .description('inside a stage of a chain: ask a role, and print its reply')
    .addOption(
      repeatableOption('--show <name=file>', 'a text to show after the prompt, by name; may be repeated'),
    )
    .option('--shape <file>', 'JSON Schema of the data that is wanted as the reply')
    .option('--system <text>', 'the system prompt')
    .option('--work <kind>', "another kind of work than the role's: produce, judge, summarise or decide")
    .option('--json', 'print the answer as JSON: reply, or error')
    .action(action(async () => ({ default: (await import('../../../strategies/tools/stage-ask.ts')).ask })))
  addRunFlags(
    program
      .command('stage')
      .argument('<stage>', 'plan, build, test, review, document or ship')
      .argument('<issue>', 'a text file with the task, or an id')
      .argument('<workflow>', 'id of the workflow, whose folder is .bench/ID in the current one')
      .description('run one stage of a chain alone, with agents, on a workflow of the current folder')
      .option('--request <text>', 'the task of a new workflow, if ISSUE is an id')
      .option('-o, --out <dir>', settings.out.help)
      .option('--resume <run>', 'go on with an interrupted run of the same stage'),
    [...settingsIn('part'), 'include', 'retryErrors', 'acceptChanges'],
  ).action(action(() => import('../part/stage.ts')))
}
