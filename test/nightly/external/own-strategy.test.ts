import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { bench, benchOk, recordsOf, root, stepsOf } from '../../helpers/runs/cli.ts'
import { applications, liveRun } from '../../helpers/stages/applications.ts'

it('a strategy of one’s own lets programs that ask models run side by side, and the loser of a race stays in the bill', async () => {
  const { cwd, env, server } = await applications(
    () => ({ text: 'Answer: 418', usage: { input: 10, output: 1 } }),
    {
      slow: `await ask('slow one'); setTimeout(() => {}, 600_000)`,
      fast: `console.log(await ask('fast one'))`,
    },
  )
  writeFileSync(
    join(cwd, 'race.mjs'),
    `import { readFileSync } from 'node:fs'
import { defineStrategy, endWith, z } from ${JSON.stringify(join(root, 'dist/bench/api.js'))}
const programOf = (name) => ({
  command: ['node', '{stage}/' + name + '.mjs'], files: { [name + '.mjs']: readFileSync(name + '.mjs', 'utf8') }, state: '', models: { stdin: '' },
})
const programs = { slow: programOf('slow'), fast: programOf('fast') }
export default defineStrategy({
  name: 'race', summary: 'Two programs race.', roles: { writer: 'produce' }, options: z.strictObject({}), programs: [],
  asksModels: () => ({ command: ['node'], missing: [] }),
  async run(context) {
    const both = await Promise.all(['b', 'c'].map((name) => context.branch(name, (inner) => inner.stage('app', programs.fast))))
    const { name, value } = await context.first({
      slow: (inner) => inner.stage('app', programs.slow),
      fast: (inner) => inner.stage('app', programs.fast),
    })
    return endWith(context, { answer: both.map(({ stdout }) => stdout).join('') + value.stdout, stopReason: 'done', detail: name })
  },
})
`,
  )
  await bench(liveRun('./race.mjs', '--trust-code'), { cwd, env })
  const folder = join(cwd, 'r')
  const [record] = recordsOf(folder)
  expect(record).toMatchObject({ outcome: { status: 'completed' }, passed: true, detail: 'fast' })
  const asks = stepsOf(folder).flatMap((step) => (step.kind === 'ask' ? [step] : []))
  // What the loser asked is paid by the method; what was cut off in the middle is void.
  expect(asks.length).toBeGreaterThanOrEqual(server.asked())
  expect(record?.spent.calls).toBe(asks.filter(({ payer }) => payer === 'method').length)
  await benchOk(['replay', 'r'], { cwd })
})
