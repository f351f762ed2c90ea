import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import { expect, it } from 'vitest'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { argv } from '../../helpers/runs/argv.ts'
import { bench, benchOk, recordsOf, refused } from '../../helpers/runs/cli.ts'

/** A project whose strategy or agent writes a file when it is loaded, and an interrupted run of it. */
async function sharedRun(code: 'strategy' | 'agent') {
  const place = tempFolder()
  const shared = join(place, 'begun/shared')
  mkdirSync(shared, { recursive: true })
  const mark = join(place, 'mark')
  const head = `import { writeFileSync } from 'node:fs'\nwriteFileSync(${JSON.stringify(mark)}, 'ran')\n`
  const strategy = `${head}export default { name: 'own', summary: 'x', roles: { solver: 'produce' }, options: undefined,
    async run({ ask }) { return { answer: await ask('solver', 'Do it.'), stopReason: 'done' } } }`
  writeFileSync(
    join(shared, 'own.mjs'),
    code === 'agent'
      ? `${head}export default () => 'Answer: 1'`
      : strategy
          .replace('undefined', 'z.strictObject({})')
          .replace('import {', "import { z } from 'orchestration-bench'\nimport {"),
  )
  const asked =
    code === 'agent'
      ? ['--agents', 'scripted:./shared/own.mjs', '--methods', 'baseline']
      : ['--methods', './shared/own.mjs']
  const begin = argv`--tasks lamp-paths --epochs 3 ${asked} --out shared/run --max-calls 1 --quiet`
  expect(await bench(begin, { cwd: join(place, 'begun') })).toMatchObject({ code: 3 })
  const theirs = join(place, 'theirs')
  cpSync(join(place, 'begun'), theirs, { recursive: true })
  renameSync(mark, `${mark}-of-the-start`)
  return { begun: join(place, 'begun'), theirs, mark }
}

it.each(['strategy', 'agent'] as const)(
  'no command runs the %s of another user’s run without --trust-code',
  async (code) => {
    const { theirs, mark } = await sharedRun(code)
    const words = ['was not started by you', 'shared/own.mjs', '--trust-code']
    await refused(['replay', 'shared/run'], words, { cwd: theirs })
    await refused(['run', '--resume', 'shared/run'], words, { cwd: theirs })
    for (const command of ['report', 'show', 'state']) await benchOk([command, 'shared/run'], { cwd: theirs })
    expect(existsSync(mark)).toBe(false)

    const resume = ['run', '--resume', 'shared/run', '--trust-code', '--max-calls', 'none', '--quiet']
    expect((await bench(resume, { cwd: theirs })).code).toBe(0)
    expect(recordsOf(join(theirs, 'shared/run'))).toHaveLength(3)
    expect(existsSync(mark)).toBe(true)
    await benchOk(['replay', 'shared/run', '--trust-code'], { cwd: theirs })
  },
)

it('a run of the same user is replayed and resumed without a question; one whose code git tracks came with a clone and is not', async () => {
  const { begun, theirs } = await sharedRun('strategy')
  await benchOk(['replay', 'shared/run'], { cwd: begun })
  expect(
    (await bench(['run', '--resume', 'shared/run', '--max-calls', 'none', '--quiet'], { cwd: begun })).code,
  ).toBe(0)

  await execa('git', ['init', '-q'], { cwd: theirs })
  await refused(['replay', 'shared/run'], ['was not started by you'], { cwd: theirs })
  await execa('git', ['add', 'shared/own.mjs'], { cwd: theirs })
  await refused(['replay', 'shared/run'], ['was not started by you'], { cwd: theirs })
  await benchOk(['replay', 'shared/run', '--trust-code'], { cwd: theirs })
})

it('a run whose run.json was changed no longer counts as the user’s own', async () => {
  const { begun } = await sharedRun('strategy')
  writeFileSync(join(begun, 'shared/run/origin'), 'no sum of run.json\n')
  await refused(['replay', 'shared/run'], ['was not started by you'], { cwd: begun })
})

it('every command redacts pieces of a secret that only --secret named when the run started', async () => {
  const cwd = tempFolder()
  const secret = 'pg-pass_77-of-the-database'
  // A model may repeat a part of a secret; the whole value is redacted before it is written.
  writeFileSync(
    join(cwd, 'agent.mjs'),
    `export default () => 'I saw ${secret.slice(0, 12)}… in it.\\nAnswer: 1'`,
  )
  const env = { DB_URL: secret }
  await benchOk(
    argv`--tasks lamp-paths --methods baseline --agents scripted:./agent.mjs --secret DB_URL --out run
      --quiet`,
    { cwd, env },
  )
  const [record] = recordsOf(join(cwd, 'run'))
  const id = record?.trial ?? ''
  expect(await benchOk(['show', 'run', id, '--full'], { cwd })).toContain('pg-pass_77')
  for (const args of [
    ['show', 'run', id, '--full'],
    ['report', 'run', '--format', 'html'],
  ]) {
    const text = await benchOk(args, { cwd, env })
    expect(text).not.toContain('pg-pass')
    expect(text).toContain('[redacted DB_URL]')
  }
  await benchOk(['report', 'run', '--format', 'html', '--out', 'page.html'], { cwd, env })
  expect(readFileSync(join(cwd, 'page.html'), 'utf8')).not.toContain('pg-pass')
})
