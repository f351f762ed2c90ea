import type { Command } from 'commander'
import { repeatableOption } from '../config/run-flags.ts'
import type { CommandAction } from './command-action.ts'

/** Adds the command that shows how a reply is read. */
export function addGradeCommand(program: Command, action: CommandAction): void {
  program
    .command('grade')
    .argument('[reply]', 'the text of a reply; - reads it from the standard input')
    .description('show how a reply is read, and why; exit code 0 if it is right, 1 if it is not')
    .option(
      '--grader <kind>',
      'numeric, choice, exact, pattern, or tests (reads code or files, and runs nothing)',
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
