import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import { expect, it } from 'vitest'
import { folderOf, tempFolder } from '../helpers/machine/temp.ts'
import { argv } from '../helpers/runs/argv.ts'
import { bench, benchOk, recordLines, recordsOf, startBench, until, wholeLines } from '../helpers/runs/cli.ts'

// Attacks of earlier measurements, by the command line alone. Of escape sequences: test/heavy/cli/escapes.test.ts; of code in another
// user's run: test/heavy/folders/foreign-runs.test.ts.

it('a reply makes no git repository in the artifacts of a run', async () => {
  const cwd = tempFolder()
  const file = (path: string, text: string) => `FILE: ${path}\n\`\`\`\n${text}\n\`\`\`\n`
  const config = '[core]\n\trepositoryformatversion = 0\n\tfsmonitor = "touch PWNED; false"\n'
  const evil = ['.git', 'sub/.git', '.GIT', 'git~1'].flatMap((folder) => [
    file(`${folder}/HEAD`, 'ref: refs/heads/main'),
    file(`${folder}/config`, config),
    file(`${folder}/objects/keep`, 'x'),
    file(`${folder}/refs/keep`, 'x'),
  ])
  const whole = [...evil, file('.git', 'gitdir: elsewhere'), file('README.md', 'nice')].join('')
  writeFileSync(join(cwd, 'agent.mjs'), `export default () => ${JSON.stringify(whole)}`)
  writeFileSync(join(cwd, 'request.md'), 'Write a README.md.')
  mkdirSync(join(cwd, 'ws'))
  const request = ['--instruction', 'request.md', '--workspace', 'ws', '--methods', 'baseline']
  await benchOk(['run', ...request, '--agents', 'scripted:./agent.mjs', '--out', 'run', '--quiet'], { cwd })
  const [trial = ''] = readdirSync(join(cwd, 'run/artifacts'))
  const files = join(cwd, 'run/artifacts', trial, 'files')
  expect(readdirSync(files)).toEqual(['README.md'])
  const env = { GIT_CEILING_DIRECTORIES: join(cwd, 'run/artifacts', trial) }
  const git = await execa('git', ['-C', files, 'rev-parse', '--git-dir'], { reject: false, env })
  expect(git.exitCode).not.toBe(0)
  expect(existsSync(join(files, 'PWNED'))).toBe(false)
})

/** A clock of the machine that is set: by a fixed time, or to another day with each second. */
const clock = (offset: string) =>
  `data:text/javascript,${encodeURIComponent(`
const Real = Date, days = [0, 1, -1, 3650, -10950, 0.1], day = 86400000
const off = () => (${offset}) * day
globalThis.Date = class extends Real {
  constructor(...given) { given.length ? super(...given) : super(Real.now() + off()) }
  static now() { return Real.now() + off() }
}`)}`

it.each([
  ['30 years behind', '-10950'],
  ['10 years ahead', '3650'],
  ['set with each second', 'days[Math.floor(Real.now() / 1000) % days.length]'],
])('a clock that is %s until the kill uses up no time of the run', async (_, offset) => {
  const cwd = folderOf({
    'agent.mjs': `import { setTimeout as sleep } from 'node:timers/promises'
export const paid = true
export const simulated = false
export default async () => {
  await sleep(Number(process.env.PAUSE ?? 0))
  return { text: 'Answer: 4', tokens: { input: 1, output: 1, cached: 0 }, costUsd: 0.001, durationMs: 1 }
}`,
    'sums.csv': `question,answer\n${'What is 2 + 2?,4\n'.repeat(16)}`,
  })
  const args = argv`--methods baseline --agents scripted:./agent.mjs --mode live --parallel 1`
  const env = { PAUSE: '400', NODE_OPTIONS: `--import=${clock(offset)}` }
  const run = startBench(argv`run --tasks csv:sums.csv ${args} --max-time 300 --yes --quiet --out run`, {
    cwd,
    env,
  })
  const folder = join(cwd, 'run')
  // The lock is renewed every two seconds.
  const held = () =>
    (JSON.parse(readFileSync(join(folder, 'lock'), 'utf8') || '{}') as { ms?: number }).ms ?? 0
  const isUnderWay = () => wholeLines(join(folder, 'steps.jsonl')).length >= 8 && held() >= 1000
  await until(() => run.isOver() || isUnderWay())
  run.kill('SIGKILL')
  expect((await run.ended).signal).toBe('SIGKILL')
  const resumed = await bench(['run', '--resume', 'run', '--quiet', '--yes'], { cwd })
  expect(resumed, resumed.stderr).toMatchObject({ code: 0 })
  expect(recordsOf(folder)).toHaveLength(16)
  const ends = wholeLines(join(folder, 'sessions.jsonl')).map((line) => JSON.parse(line) as { ms?: number })
  const [killed = -1] = ends.flatMap(({ ms }) => (ms === undefined ? [] : [ms]))
  // Its calls alone took more than a second.
  expect(killed).toBeGreaterThanOrEqual(1000)
  expect(killed).toBeLessThan(200_000)
})

it('a damaged cache changes no record of an equal seed', async () => {
  const cwd = tempFolder()
  const place = (cache: string) => ({ cwd, env: { ORCHESTRATION_BENCH_CACHE: join(cwd, cache) } })
  const run = async (cache: string, out: string) => {
    const what = ['--tasks', 'native:suite', '--methods', 'baseline', '--epochs', '8']
    await benchOk(['run', ...what, '--quiet', '--out', out], place(cache))
    return recordLines(join(cwd, out))
  }
  const task = (path: string) => join(cwd, 'suite/pair', path)
  for (const folder of ['files/src', 'solution/src', 'tests']) mkdirSync(task(folder), { recursive: true })
  writeFileSync(task('instruction.md'), 'Write pair(a, b) in src/pair.mjs.')
  writeFileSync(
    task('task.yaml'),
    'id: pair\nversion: 1\ntitle: Pair\noutput: files\neditable: [src/pair.mjs]\ngraders: [{ kind: tests, runner: node-test, expectTests: 1 }]\nlicence: MIT\nsource: own\nproperties: { difficulty: 0.5 }\n',
  )
  writeFileSync(task('files/src/pair.mjs'), 'export const pair = () => undefined\n')
  const solution = 'export function pair(a, b) {\n  return a < b ? a + b : a - b\n}\n'
  writeFileSync(task('solution/src/pair.mjs'), solution)
  writeFileSync(
    task('tests/pair.test.mjs'),
    "import test from 'node:test'\nimport assert from 'node:assert'\nimport { pair } from '../src/pair.mjs'\ntest('pairs', () => { assert.equal(pair(1, 2), 3); assert.equal(pair(3, 1), 2) })\n",
  )
  const gold = await run('cache', 'gold')
  const pools = readdirSync(join(cwd, 'cache/mutants'))
  expect(pools.length).toBeGreaterThan(0)
  // Else no wrong answer of the pool was handed in.
  expect(gold.filter((line) => line.includes('"passed":false')).length).toBeGreaterThan(0)
  for (const pool of pools) {
    const path = join(cwd, 'cache/mutants', pool)
    const [sum, text = ''] = readFileSync(path, 'utf8').split('\n')
    const entry = JSON.parse(text) as { wrong: { submission: { files: Record<string, string> } }[] }
    // Each wrong answer becomes right, and the file can be read as before.
    for (const { submission } of entry.wrong) submission.files['src/pair.mjs'] = solution
    writeFileSync(path, `${sum}\n${JSON.stringify(entry)}`)
  }
  expect(await run('cache', 'again')).toEqual(gold)
})
