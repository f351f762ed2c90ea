import type { Command } from 'commander'
import { addRunFlags, addStageFlags, addStepFlags, repeatableOption } from '../config/run-flags.ts'
import type { CommandAction } from './command-action.ts'

/** Adds the commands that run methods. */
export function addRunning(program: Command, action: CommandAction): void {
  addRunFlags(
    program
      .command('run', { isDefault: true })
      .description('run methods on tasks, or resume a run (the default command)'),
  ).action(action(() => import('../run.ts')))
  addStepFlags(
    program
      .command('step')
      .argument('<file>', 'a workflow of method fanout: a file, or a shipped name')
      .argument('<state>', 'the state to run')
      .description('run one state of a workflow alone, on the texts that it would read'),
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
    .action(action(() => import('../part/ask.ts')))
  addStageFlags(
    program
      .command('stage')
      .argument('<stage>', 'plan, build, test, review, document or ship')
      .argument('<issue>', 'a text file with the task, or an id')
      .argument('<workflow>', 'id of the workflow, whose folder is .bench/ID in the current one')
      .description('run one stage of a chain alone, with agents, on a workflow of the current folder'),
  ).action(action(() => import('../part/stage.ts')))
}
