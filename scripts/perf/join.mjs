// Measures the cost of joining the four shards of a run of 10,000 trials, and what ten times the lines take.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { bench, each, inTurn, measure, pathOf, temporaryFolder } from './measure.mjs'
import { makeRow } from './row.mjs'
import { checkLines, taskFolder } from './simulated-run.mjs'

const what = 'a join of 10,000 trials'
const count = 4

export async function joining(rounds) {
  const folder = temporaryFolder()
  const small = await shardsOf(join(folder, 'small'), 25)
  const large = await shardsOf(join(folder, 'large'), 250)
  const files = small.flatMap((shard) => [join(shard, 'records.jsonl'), join(shard, 'steps.jsonl')])
  const { few, many, readline } = await inTurn(rounds, {
    few: () => joinOf(small, 10_000),
    many: () => joinOf(large, 100_000),
    readline: () => measure({ args: [pathOf('parse-lines.mjs'), '20000', ...files] }),
  })
  const [cpu, peak] = [each('cpuMs', few), each('peakMiB', many)]
  const byHand = each('cpuMs', readline)
  return [
    makeRow(`${what}, CPU`, 'ms', cpu, 'readline and JSON.parse', byHand, { atMost: 3 }),
    makeRow('a join of 100,000 trials, peak', 'MiB', peak, 'of 10,000', each('peakMiB', few), {
      atMost: 1.5,
    }),
  ]
}

/** Runs the shards of a run of four methods on 100 tasks. Returns their folders. */
async function shardsOf(place, epochs) {
  const suite = taskFolder(100)
  const shards = Array.from({ length: count }, (_, k) => join(place, `s${k + 1}`))
  for (const [k, out] of shards.entries()) {
    const plan = ['--tasks', `native:${suite}`, '--methods', 'A=baseline,B=baseline,C=baseline,D=baseline']
    const part = ['--epochs', String(epochs), '--shard', `${k + 1}/${count}`, '--out', out]
    // Exit code 1: some of the simulated agent's calls fail, by its profile, and their trials end in error.
    await measure({ args: [bench, ...plan, '--parallel', '4', ...part], exitCodes: [0, 1] })
  }
  return shards
}

async function joinOf(shards, trials) {
  const out = join(temporaryFolder(), 'run')
  const sample = await measure({ args: [bench, 'runs', 'join', ...shards, '--out', out] })
  checkLines(join(out, 'records.jsonl'), trials)
  rmSync(out, { recursive: true })
  return sample
}
