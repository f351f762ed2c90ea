const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/**
 * Calls `work`, whose signal Ctrl-C aborts. Returns its exit code; 130 if it was stopped, with a line that nothing was written. Only
 * for work that undoes what it has written when it throws.
 */
export async function untilInterrupted(work: (signal: AbortSignal) => Promise<number>): Promise<number> {
  const abort = new AbortController()
  const stop = () => abort.abort()
  for (const signal of signals) process.on(signal, stop)
  try {
    return await work(abort.signal)
  } catch (error) {
    if (!abort.signal.aborted) throw error
    return saidNothingWritten()
  } finally {
    for (const signal of signals) process.off(signal, stop)
  }
}

/** Says that the person has stopped the command, and returns its exit code. */
export function saidNothingWritten(): number {
  process.stderr.write('stopped: nothing was written\n')
  return 130
}
