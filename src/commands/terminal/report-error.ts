import { safeLine } from '../../reports/words/safe-text.ts'
import { tooManyOpenFiles } from '../../sandbox/machine/open-files.ts'

/** Prints an error to stderr and returns the exit code. */
export function reportError(error: Error): number {
  if (error.name === 'UserError') {
    for (const line of error.message.split('\n')) process.stderr.write(`bench: ${line}\n`)
    return 2
  }
  if ((error as NodeJS.ErrnoException).syscall === 'uv_cwd') {
    process.stderr.write(
      'bench: [working folder] does not exist any more. Change to an existing folder, and run bench again.\n',
    )
    return 2
  }
  if (error.name === 'StorageError') {
    process.stderr.write(`bench: ${error.message}\n`)
    return 1
  }
  const fault = tooManyOpenFiles(error)
  if (fault !== undefined) {
    process.stderr.write(`bench: ${fault} Resume a run with --resume.\n`)
    return 1
  }
  process.stderr.write(`Internal error: ${process.env.BENCH_DEBUG ? error.stack : error.message}\n`)
  process.stderr.write('Please report this. BENCH_DEBUG=1 shows where it happened.\n')
  return 1
}

/** Prints a note about the results to stderr; prints nothing for undefined. */
export function reportNote(note: string | undefined): void {
  if (note !== undefined) process.stderr.write(`note: ${safeLine(note)}\n`)
}
