import { unknownName } from '../../loop/plan/unknown-name.ts'
import { UserError } from '../../text/errors.ts'

/** Throws `UserError` for an unknown command, with the most similar one. */
export default function rejectUnknownCommand(word: string, commands: readonly string[]): never {
  throw new UserError(unknownName(`bench ${word}`, 'command', word, commands, 'bench --help'))
}
