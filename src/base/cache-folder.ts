import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { makeFolders } from './make-folders.ts'
import { writeAtomic } from './write-atomic.ts'

/** Where this machine keeps what can be computed again. */
export function cacheFolder(env: Readonly<Record<string, string | undefined>> = process.env): string {
  if (env.ORCHESTRATION_BENCH_CACHE) return env.ORCHESTRATION_BENCH_CACHE
  return join(env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'orchestration-bench')
}

/** Keeps what can be computed again, for this user alone. Not being able to is no error. */
export function keepFile(path: string, content: string): void {
  try {
    makeFolders(dirname(path))
    // Answers and solutions may stand in it.
    writeAtomic(path, content, { mode: 0o600 })
  } catch {}
}
