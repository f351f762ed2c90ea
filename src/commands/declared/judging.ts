import type { Command } from 'commander'
import { UserError } from '../../text/errors.ts'
import type { CommandAction } from './command-action.ts'

const runHelp = 'a run folder, its name in results/ or the beginning of it, or latest'

/** Adds the commands that compare judges with people. */
export function addJudgeCommands(program: Command, action: CommandAction): void {
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
