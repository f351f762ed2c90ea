// 10,000 trials against promptfoo: tests times providers, one assertion each, the cheapest of its ways to write results.
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { each, inTurn, measure, temporaryFolder } from './measure.mjs'
import { installedPromptfoo, promptfooEnvironment, promptfooVersion } from './peers.mjs'
import { makeRow, missingRow } from './row.mjs'
import { checkLines, runTrials } from './simulated-run.mjs'

const what = '10,000 simulated trials, CPU'
const flags = ['-j', '4', '--no-cache', '--no-progress-bar', '--no-table', '--no-share', '--no-write']

export async function promptfoo(rounds) {
  const peer = installedPromptfoo()
  if (!peer) return [missingRow(`${what}, against promptfoo`, 'get promptfoo with `npm run bench:peers`')]
  const { ours, theirs } = await inTurn(rounds, {
    ours: () => runTrials({ node: peer.node, epochs: 10_000 }),
    theirs: () => evaluate(peer),
  })
  const against = `promptfoo ${promptfooVersion}`
  return [makeRow(what, 'ms', each('cpuMs', ours), against, each('cpuMs', theirs), { atLeast: 12 })]
}

async function evaluate({ node, program }) {
  const cwd = temporaryFolder()
  writeFileSync(join(cwd, 'promptfoo.json'), JSON.stringify(configuration(2_500)))
  const args = [program, 'eval', '-c', 'promptfoo.json', ...flags, '-o', 'out.jsonl']
  const env = { ...promptfooEnvironment, PROMPTFOO_CONFIG_DIR: join(cwd, 'config') }
  const sample = await measure({ node, args, cwd, env })
  checkLines(join(cwd, 'out.jsonl'), 10_000)
  rmSync(cwd, { recursive: true })
  return sample
}

function configuration(tests) {
  const question = (i) => `What is ${i} times 23? Answer with the number alone.`
  return {
    prompts: ['{{question}}'],
    providers: ['a', 'b', 'c', 'd'].map((label) => ({ id: 'echo', label })),
    tests: Array.from({ length: tests }, (_, i) => ({
      vars: { question: question(i) },
      assert: [{ type: 'equals', value: question(i) }],
    })),
  }
}
