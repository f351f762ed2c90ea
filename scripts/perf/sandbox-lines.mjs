// The lines about the sandbox: what it costs to start a program in it, and what our way of starting costs the parent.
import { fileURLToPath } from 'node:url'
import { interleaved, measure } from './measure.mjs'
import { nodeOf } from './node-versions.mjs'
import { makeRow } from './row.mjs'

const program = fileURLToPath(new URL('sandbox-spawns.mjs', import.meta.url))
const few = 20
const many = 120

export function sandbox() {
  const node = nodeOf(20)
  const spawns =
    (way, count, ...command) =>
    () =>
      measure({ node, args: [program, way, String(count), ...command] })
  const ways = ['spawn', 'spawn-in-folder', 'execa', 'ours-supervised', 'ours-none', 'ours-bubblewrap']
  const subjects = Object.fromEntries(
    ways.flatMap((way) => [
      [`${way} few`, spawns(way, few, '/bin/true')],
      [`${way} many`, spawns(way, many, '/bin/true')],
    ]),
  )
  const samples = interleaved(3, subjects)
  // From the difference of two counts: loading and, for ours, the probe fall out.
  const each = (way, value) =>
    samples[`${way} many`].map(
      (sample, i) => (value(sample) - value(samples[`${way} few`][i])) / (many - few),
    )
  const own = (way) => each(way, ({ cpuMs }) => cpuMs)
  const wall = (way) => each(way, ({ wallMs }) => wallMs)
  const row = (what, ours, against, reference, target = {}) =>
    makeRow({ line: 'sandbox', what, unit: 'ms', ours, against, reference, ...target })
  const supervised = 'parent’s CPU: timeout, limits, capped output, tree kill'
  return [
    row('launch in bubblewrap, wall', wall('ours-bubblewrap'), 'piped spawn', wall('spawn')),
    row('launch without a sandbox, wall', wall('ours-none'), 'piped spawn', wall('spawn')),
    row(supervised, own('ours-supervised'), 'piped spawn', own('spawn'), { atMost: 1.5 }),
    row(supervised, own('ours-supervised'), 'execa', own('execa')),
    row('the same with a private folder made for it', own('ours-none'), 'piped spawn', own('spawn')),
    row('the same', own('ours-none'), 'piped spawn in a fresh folder', own('spawn-in-folder')),
    row('the same', own('ours-none'), 'execa', own('execa')),
    row('parent’s CPU, in bubblewrap', own('ours-bubblewrap'), 'piped spawn', own('spawn')),
  ]
}
