const checkAgainMs = 3000

/** Ends a process that only a timer or a connection of the user's code keeps alive. It would never end by itself. */
export function endLeftovers(): void {
  // A slow reader has not read all of the output yet.
  if (process.stdout.writableLength + process.stderr.writableLength > 0) {
    setTimeout(endLeftovers, checkAgainMs).unref()
    return
  }
  process.stderr.write('bench ended the process: a strategy or an agent left a timer or a connection open\n')
  exitAfterFlush(Number(process.exitCode ?? 0))
}

/** Ends the process after stdout and stderr are flushed. */
export function exitAfterFlush(code: number): void {
  process.exitCode = code
  process.stdout.write('', () => process.stderr.write('', () => process.exit(code)))
}
