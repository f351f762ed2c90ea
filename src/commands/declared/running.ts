import type { Command } from 'commander'
import { addRunFlags, addStepFlags } from '../config/run-flags.ts'
import type { CommandAction } from './command-action.ts'
import { addStageCommands } from './stages.ts'

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
  ).action(action(() => import('../step.ts')))
  addStageCommands(program, action)
  program
    .command('init')
    .description('write a commented bench.config.yaml and its JSON Schema for editors')
    .action(action(() => import('../init.ts')))
}
