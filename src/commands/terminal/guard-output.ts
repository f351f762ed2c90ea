/** Outlives readers that have gone: progress that nobody reads is no reason to stop, nor is a closed pipe (bench … | head) a fault. */
export function guardOutput(): void {
  process.stderr.on('error', () => {})
  process.stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
    if (code === 'EPIPE') process.exit(0)
    process.stderr.write(
      `bench: what it prints cannot be written (${code ?? message}). Make room, or send it elsewhere.\n`,
    )
    process.exit(1)
  })
}
