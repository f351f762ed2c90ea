// The line about what it costs to ask for help or for the version.
import { interleaved, measure } from './measure.mjs'
import { nodeOf } from './node-versions.mjs'
import { makeRow } from './row.mjs'
import { bench } from './trials.mjs'

const rounds = 11
const targets = { 20: 1.5, 24: 2 }

export function start() {
  return Object.entries(targets).flatMap(([major, atMost]) => {
    const node = nodeOf(Number(major))
    const subjects = {
      bare: () => measure({ node, args: ['-e', '0'] }),
      '--help': () => measure({ node, args: [bench, '--help'] }),
      '--version': () => measure({ node, args: [bench, '--version'] }),
    }
    interleaved(1, subjects)
    const { bare, ...samples } = interleaved(rounds, subjects)
    return Object.entries(samples).map(([flag, ours]) =>
      makeRow({
        line: 'start',
        what: `bench ${flag}, CPU, Node ${major}`,
        unit: 'ms',
        ours: ours.map(({ cpuMs }) => cpuMs),
        against: 'node -e 0',
        reference: bare.map(({ cpuMs }) => cpuMs),
        atMost,
      }),
    )
  })
}
