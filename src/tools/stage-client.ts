import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../base/package-root.ts'

/**
 * Returns the text of the client program for stages, which needs no package: with `files: { 'bench.mjs': stageClient() }` a stage in
 * any language can call `node "$BENCH_STAGE/bench.mjs" ask planner "…"`.
 */
export const stageClient = (): string => readFileSync(join(packageRoot(), 'dist/bench/client.mjs'), 'utf8')
