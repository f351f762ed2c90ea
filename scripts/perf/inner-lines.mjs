// Rows for orientation about inner parts of the loop; they have no targets.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { temporaryFolder } from './measure.mjs'
import { nodeOf } from './node-versions.mjs'
import { makeRow } from './row.mjs'
import { runTrials } from './trials.mjs'

const program = fileURLToPath(new URL('inner.mjs', import.meta.url))

export function inner() {
  const run = join(temporaryFolder(), 'run')
  runTrials(2, run)
  const { status, stdout, stderr } = spawnSync(nodeOf(24).path, [program, run], { encoding: 'utf8' })
  if (status !== 0) throw new Error(stderr.slice(-2000))
  return JSON.parse(stdout).map(({ what, perSecond, microseconds }) =>
    makeRow({
      line: 'inner',
      what,
      unit: 'us',
      ours: [microseconds],
      against: `${Math.round(perSecond).toLocaleString('en-US')} a second`,
    }),
  )
}
