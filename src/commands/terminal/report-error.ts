import { safeLine } from '../../reports/words/safe-text.ts'
import { tooManyOpenFiles } from '../../sandbox/machine/open-files.ts'

/** Prints an error as its reader needs it, and gives the exit code. */
export function reportError(error: Error): number {
  if (error.name === 'UserError') {
    for (const line of error.message.split('\n')) process.stderr.write(`bench: ${line}\n`)
    return 2
  }
  if ((error as NodeJS.ErrnoException).syscall === 'uv_cwd') {
    process.stderr.write(
      'bench: [working folder] is not there any more. Go to a folder that is there, and call bench again.\n',
    )
    return 2
  }
  if (error.name === 'StorageError') {
    process.stderr.write(`bench: ${error.message}\n`)
    return 1
  }
  const fault = tooManyOpenFiles(error)
  if (fault !== undefined) {
    process.stderr.write(`bench: ${fault} A run goes on with --resume.\n`)
    return 1
  }
  process.stderr.write(`bench broke: ${process.env.BENCH_DEBUG ? error.stack : error.message}\n`)
  process.stderr.write('This is a fault of bench, not yours. BENCH_DEBUG=1 shows where it happened.\n')
  return 1
}

/** Tells what a reader should know of the results, beside them; nothing where there is no note. */
export function reportNote(note: string | undefined): void {
  if (note !== undefined) process.stderr.write(`note: ${safeLine(note)}\n`)
}
