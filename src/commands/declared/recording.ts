import type { Command } from 'commander'
import { UserError } from '../../text/errors.ts'
import type { CommandAction } from './running.ts'

const importHelp = `
FILES are lines { task, reply, usage, prompt } of another harness, plain
or gzipped, or folders of live runs of bench, whose replies to the tasks
alone become those of a recorded agent. Bench lists what it leaves out or
does not believe. See bench help recorded.`

/** Adds the commands on recorded replies. */
export function addRecording(program: Command, action: CommandAction): void {
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
    .argument('<files...>', 'files of replies of one model, or folders of runs')
    .description('make a file of recorded replies from those of another harness, or from runs of bench')
    .option('-o, --out <file>', 'the file to write, .jsonl or .jsonl.gz')
    .option('--tasks <selection>', 'the tasks that were answered, as for bench run --tasks')
    .option('--model <name>', 'the model that replied (of a run: the agent)')
    .option('--source <text>', 'who recorded the replies (of a run: the run)')
    .option('--licence <name>', 'the licence of the replies')
    .option('--date <day>', 'when they were recorded, such as 2025 or 2025-03-31 (of a run: its day)')
    .option('--agent <name>', 'of runs with several agents: the one whose replies are taken')
    .addHelpText('after', importHelp)
    .action(action(() => import('../replies/import.ts')))
}
