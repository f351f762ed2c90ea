/** Handles errors of stdout and stderr. A closed stderr is ignored. A closed stdout (`bench … | head`) ends the process with code 0. */
export function guardOutput(): void {
  process.stderr.on('error', () => {})
  process.stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
    if (code === 'EPIPE') process.exit(0)
    process.stderr.write(
      `bench: cannot write to stdout (${code ?? message}). Free some space, or redirect the output.\n`,
    )
    process.exit(1)
  })
}
