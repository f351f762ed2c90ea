import { join } from 'node:path'
import { packageRoot } from '../../base/package-root.ts'
import { runProcessSync } from '../../sandbox/machine/start-process.ts'
import type { StageWords } from './open-workflow.ts'

/**
 * Ships in the workflow's own repository, which a run does not have: its branch, its commit and `change.patch`. The program starts
 * git alone, and no code of the workspace.
 */
export function shipAlone({ issue, workflow }: StageWords): { problem?: string } {
  const program = join(packageRoot(), 'strategies/chained/ship.mjs')
  const { BENCH_STATE: _, BENCH_STAGE: __, BENCH_SOCKET: ___, ...env } = process.env
  const { status, stderr, error } = runProcessSync(process.execPath, [program, issue, workflow], {
    env,
    encoding: 'utf8',
  })
  if (error) throw error
  return status === 0 ? {} : { problem: stderr.trim() }
}
