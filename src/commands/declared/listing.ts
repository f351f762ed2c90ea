import type { Command } from 'commander'
import type { CommandAction } from './command-action.ts'
import { addRunsCommands } from './runs.ts'
import { addTasksCommands } from './tasks.ts'

/** Adds the commands that list and check what a run can name. */
export function addListing(program: Command, action: CommandAction): void {
  addTasksCommands(program, action)
  program
    .command('methods')
    .argument('[name]', 'a method, or a strategy file; NAME:DOCUMENT shows it with that document')
    .description('list the methods, or show one with its flow, roles, options and documents')
    .option('--format <name>', 'text or json (default: text)')
    .option('--json', 'same as --format json')
    .action(action(() => import('../methods.ts')))
  program
    .command('plan')
    .argument(
      '[file]',
      'a graph document, as after dag: in --methods: FILE, FILE#WORKFLOW, or a shipped name',
    )
    .description('check a graph document, and show the plan that it comes to')
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
}
