import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { tableOf } from '../../helpers/house/tables.ts'
import { argv } from '../../helpers/runs/argv.ts'
import { bench, benchOk, recordsOf, refused } from '../../helpers/runs/cli.ts'
import { recordedFolder, recordedTasks, writeSamples } from '../../helpers/runs/recorded-files.ts'

it.each(tableOf<[string, string][]>(import.meta.url, 'refused'))(
  'a run that recorded replies cannot serve is refused before it begins: %s',
  async (_, words) => {
    const cwd = recordedFolder()
    const { stderr } = await refused([...argv`--tasks ${recordedTasks} --out run`, ...words.split(' ')], [], {
      cwd,
    })
    expect(stderr.replaceAll(cwd, 'FOLDER')).toMatchSnapshot()
    expect(readdirSync(cwd)).not.toContain('run')
  },
)

const strategy = (name: string, asks: string, body: string) => `
import { defineStrategy, solve, z } from 'orchestration-bench'
export default defineStrategy({
  name: '${name}', summary: 's', roles: { solver: 'produce' },
  options: z.strictObject({ n: z.number().default(2) }),
  declaration: { flow: { beside: 'solver', times: 'n' }, stop: 'at its end', context: 'the task'${asks} },
  async run(context) {
    ${body}
    return { answer: 'x', stopReason: 'done' }
  },
})`
const own = ", asks: 'task'"
const branches = (names: string) => `
    await Promise.all([${names}].map((name) => context.branch(name, (branch) => solve(branch, 'solver'))))`

/** What a strategy of one's own does, and what its trials say of it; empty: they run. */
const bodies: [what: string, body: string, fault: RegExp | ''][] = [
  ['keeps to its word', branches("'a-1', 'a-2'"), ''],
  [
    'does not number its branches',
    branches("'a', 'b'"),
    /its branch "a" does not end in a number from 1 to 2/,
  ],
  ['counts its branches from 0', branches("'a-0', 'a-1'"), /its branch "a-0" does not end in a number/],
  [
    'asks more often than declared',
    branches("'a-1', 'a-2', 'a-3'"),
    /its branch "a-3" does not end in a number from 1 to 2/,
  ],
  ['gives two branches one number', branches("'a-1', 'b-1'"), /it would get the same reply as another ask/],
  [
    'asks on in a conversation',
    "await context.ask('solver', 'Solve the task.', { session: 's' })",
    /asks more than the task alone, for it has the option session/,
  ],
  [
    'uses other words',
    "await context.ask('solver', 'Solve it.')",
    /for its words or texts are not those of solve\(\)/,
  ],
  [
    'shows more',
    "await context.ask('solver', 'Solve the task.', { show: { hint: 'no' } })",
    /for its words or texts are not those of solve\(\)/,
  ],
  [
    'hides its faults',
    "try { await context.ask('solver', 'Solve it.') } catch {}",
    /for its words or texts are not those of solve\(\)/,
  ],
  [
    'takes the fastest',
    "await context.first({ 'a-1': (one) => solve(one, 'solver'), 'a-2': (one) => solve(one, 'solver') })",
    /the time of recorded replies is unknown/,
  ],
]

it('a strategy of one’s own runs on recorded replies if it keeps to its word, else its trials name it', async () => {
  const cwd = recordedFolder()
  writeSamples(cwd)
  mkdirSync(join(cwd, 'own'))
  for (const [place, [, body]] of bodies.entries())
    writeFileSync(join(cwd, `own/m${place}.mjs`), strategy(`m${place}`, own, body))
  const methods = bodies.map((_, place) => `./own/m${place}.mjs`).join(',')
  await bench(
    argv`--tasks ${recordedTasks}:3 --methods ${methods} --agents recorded:several@samples --out run --quiet`,
    { cwd },
  )
  const records = recordsOf(join(cwd, 'run'))
  for (const [place, [what, , fault]] of bodies.entries()) {
    const trials = records.filter(({ method }) => method === `m${place}`)
    expect(trials.length, what).toBeGreaterThan(0)
    for (const { outcome } of trials)
      if (fault === '') expect(outcome.status, what).toBe('completed')
      else {
        expect(outcome.status, what).toBe('error')
        expect(outcome.reason, what).toMatch(fault)
        expect(outcome.reason, what).toContain(`[strategy m${place}]`)
      }
  }
  expect(await benchOk(argv`replay run`, { cwd })).toContain('no divergence')
})

it('a strategy of one’s own that does not say that it asks the task alone is refused', async () => {
  const cwd = recordedFolder()
  writeSamples(cwd)
  writeFileSync(join(cwd, 'own.mjs'), strategy('own', '', branches("'a-1', 'a-2'")))
  await refused(
    argv`--tasks ${recordedTasks} --methods ./own.mjs --agents recorded:several@samples`,
    [
      /\[method own\] cannot use the recorded replies of recorded:several@samples, because its declaration does not say/,
    ],
    { cwd },
  )
})
