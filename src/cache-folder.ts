import { homedir } from 'node:os'
import { join } from 'node:path'

/** Where this machine keeps what can be computed again. */
export function cacheFolder(env: Readonly<Record<string, string | undefined>> = process.env): string {
  if (env.ORCHESTRATION_BENCH_CACHE) return env.ORCHESTRATION_BENCH_CACHE
  return join(env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'orchestration-bench')
}
