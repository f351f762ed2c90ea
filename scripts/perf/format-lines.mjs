// The lines about what it costs to convert what agents hand on, beside the libraries' own parse and stringify.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { nodeOf } from './node-versions.mjs'
import { makeRow } from './row.mjs'

const program = fileURLToPath(new URL('formats.mjs', import.meta.url))

export function formats() {
  const { status, stdout, stderr } = spawnSync(nodeOf(24).path, [program], { encoding: 'utf8' })
  if (status !== 0) throw new Error(stderr.slice(-2000))
  return JSON.parse(stdout).map(({ from, to, ours, library }) =>
    makeRow({
      line: 'formats',
      what: `100 KB of ${from} to ${to}, CPU`,
      unit: 'ms',
      ours,
      against: 'parse and stringify',
      reference: library,
      atMost: 1.5,
    }),
  )
}
