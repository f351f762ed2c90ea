import type { Command } from 'commander'
import { addStageFlags, repeatableOption } from '../config/run-flags.ts'
import type { CommandAction } from './command-action.ts'

/** Adds the commands for stages of chains. */
export function addStageCommands(program: Command, action: CommandAction): void {
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
    .action(action(() => import('../stage/ask.ts')))
  addStageFlags(
    program
      .command('stage')
      .argument('<stage>', 'plan, build, test, review, document or ship')
      .argument('<issue>', 'a text file with the task, or an id')
      .argument('<workflow>', 'id of the workflow, whose folder is .bench/ID in the current one')
      .description('run one stage of a chain alone, with agents, on a workflow of the current folder'),
  ).action(action(() => import('../stage/stage.ts')))
}
