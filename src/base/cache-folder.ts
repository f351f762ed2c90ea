import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { makeFolders } from './make-folders.ts'
import { writeAtomic } from './write-atomic.ts'

/** Returns the folder of cache files. */
export function cacheFolder(env: Readonly<Record<string, string | undefined>> = process.env): string {
  if (env.ORCHESTRATION_BENCH_CACHE) return env.ORCHESTRATION_BENCH_CACHE
  return join(env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'orchestration-bench')
}

/** Writes a cache file atomically, mode 0600. Failures are ignored. */
export function writeCacheFile(path: string, content: string): void {
  try {
    makeFolders(dirname(path))
    // It may contain answers and solutions.
    writeAtomic(path, content, { mode: 0o600 })
  } catch {}
}
