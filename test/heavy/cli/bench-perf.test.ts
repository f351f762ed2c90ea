import { execa } from 'execa'
import { expect, it } from 'vitest'
import { needs } from '../../helpers/house/needs.ts'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { root } from '../../helpers/runs/cli.ts'

const measure = async (part: string, ...options: string[]) => {
  const args = ['scripts/perf/main.mjs', '--only', part, '--rounds', '1', ...options]
  const env = { ORCHESTRATION_BENCH_CACHE: tempFolder() }
  return (await execa(process.execPath, args, { cwd: root, env })).stdout
}

needs('python3').it(
  'bench:perf prints our value, the floor, their ratio, the target and if it is met',
  async () => {
    const stdout = await measure('start', '--markdown')
    const rows = stdout.split('\n').filter((line) => line.startsWith('| bench') || line.startsWith('| a run'))
    expect(rows.map((row) => row.replaceAll(/[\d.,]+ ms/g, 'N ms').replaceAll(/ +/g, ' '))).toEqual([
      expect.stringMatching(
        /^\| bench --help, CPU \| N ms \| node -e 0: N ms \| [\d.]+x \| <= 3x \| (yes|NO) \|$/,
      ),
      expect.stringMatching(
        /^\| a run of one trial, CPU \| N ms \| node -e 0: N ms \| [\d.]+x \| <= 12x \| (yes|NO) \|$/,
      ),
    ])
  },
)

it.each([
  ['promptfoo', 'promptfoo'],
  ['langgraph', 'LangGraph.js'],
])('bench:perf says how to get %s if it is not installed', async (part, name) => {
  expect(await measure(part)).toContain(`not measured: get ${name} with \`npm run bench:peers\``)
})
