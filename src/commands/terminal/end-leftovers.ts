const againMs = 3000

/** Ends a process that only something of the user's code still keeps, a timer or a connection: it would go on for ever. */
export function endLeftovers(): void {
  // Who reads slowly may do so.
  if (process.stdout.writableLength + process.stderr.writableLength > 0) {
    setTimeout(endLeftovers, againMs).unref()
    return
  }
  process.stderr.write(
    'a strategy or an agent left something running (a timer, a connection): ended with the command\n',
  )
  exitAfterFlush(Number(process.exitCode ?? 0))
}

/** Ends the process once what was printed has been read. */
export function exitAfterFlush(code: number): void {
  process.exitCode = code
  process.stdout.write('', () => process.stderr.write('', () => process.exit(code)))
}
