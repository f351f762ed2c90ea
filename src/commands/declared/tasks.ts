import type { Command } from 'commander'
import { addFilterFlags } from '../config/filter-flags.ts'
import type { CommandAction } from './command-action.ts'

/** Adds `bench tasks` and its subcommands, of which `list` is the default. */
export function addTasksCommands(program: Command, action: CommandAction): void {
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
      .description('prove that the reference solution of each task passes and an empty answer fails'),
  )
    .option('--json', 'print JSON')
    .option('--parallel <n>', 'tasks to prove at the same time (default: number of processors)')
    .action(action(() => import('../tasks/check.ts')))
}
