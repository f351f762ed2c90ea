import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { execa } from 'execa'
import { expect, it } from 'vitest'
import { folderOf, tempFolder } from '../../helpers/machine/temp.ts'
import { solve, writeStrategy } from '../../helpers/machine/user-code.ts'
import { argv } from '../../helpers/runs/argv.ts'
import { bench, benchOk, recordLines, root, soon, startBench } from '../../helpers/runs/cli.ts'

const plan = ['--tasks', 'lamp-paths,ferry-morning', '--parallel', '2', '--quiet']
const above = `import { existsSync } from 'node:fs'
const sleep = (ms) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)`
/** Blocks the main thread in a sleep as long as a file exists. */
const blocking = `    const answer = await ask('solver', 'Do it.')
    if (existsSync('block')) sleep()
    return { stopReason: 'done', answer }`

/** A folder with a strategy that blocks, and what a run of it comes to when it does not. */
async function blockingFolder() {
  const cwd = tempFolder()
  const method = writeStrategy(cwd, 'stuck', blocking, above)
  await benchOk([...plan, '--methods', method, '--out', 'calm'], { cwd })
  writeFileSync(join(cwd, 'block'), '')
  const goesOn = async () => {
    rmSync(join(cwd, 'block'))
    await benchOk(['run', '--resume', 'run', '--quiet'], { cwd })
    expect(recordLines(join(cwd, 'run'))).toEqual(recordLines(join(cwd, 'calm')))
  }
  return { cwd, args: [...plan, '--methods', method, '--out', 'run'], goesOn }
}

it.each(['SIGINT', 'SIGTERM'] as const)('a blocked run ends at the second %s', async (signal) => {
  const { cwd, args, goesOn } = await blockingFolder()
  const running = startBench(args, { cwd })
  while (!existsSync(join(cwd, 'run/steps.jsonl'))) await soon()
  await soon(500)
  running.kill(signal)
  await running.says(
    /stopping: method stuck in trial \w+ .* blocks the main thread; Ctrl-C again stops immediately/,
  )
  running.kill(signal)
  const { code, stderr } = await running.ended
  expect(code).toBe(130)
  expect(stderr).toMatch(/a second signal came .*; resume with: bench run --resume run$/)
  await goesOn()
})

/** A program of a user's that has bench as a library and runs a method. */
function embedded(cwd: string, name: string, request: object) {
  const api = pathToFileURL(join(root, 'dist/bench/api.js')).href
  writeFileSync(
    join(cwd, name),
    `import { run } from ${JSON.stringify(api)}
const { summary } = await run(${JSON.stringify({ tasks: 'lamp-paths', ...request })})
console.log(summary.methods.length)`,
  )
  return execa(process.execPath, [name], { cwd, reject: false })
}

// In one test, since each part waits for the ten seconds after which a block is reported.
it('code that blocks is named with its place and ended in time; a program that uses bench only if it asks for that', async () => {
  const { cwd, args, goesOn } = await blockingFolder()
  const top = writeStrategy(cwd, 'top', solve, `${above}\nsleep()`)
  const slow = writeStrategy(cwd, 'slow', `    sleep(13_000)\n    ${solve}`, above)
  writeFileSync(join(cwd, 'agent.mjs'), 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)')
  const ending = ['--quiet', '--end-blocked', '1']
  const [ran, strategy, script, library, ended] = await Promise.all([
    bench([...args, ...ending], { cwd }),
    bench(['--tasks', 'lamp-paths', '--methods', top, ...ending], { cwd }),
    bench(argv`--tasks lamp-paths --methods baseline --agents scripted:agent.mjs ${ending}`, {
      cwd,
    }),
    embedded(cwd, 'library.mjs', { methods: slow, out: 'library' }),
    embedded(cwd, 'ended.mjs', { methods: slow, out: 'ended', endBlocked: 0 }),
  ])
  const isAt = (place: string) =>
    new RegExp(
      `^method \\w+ in trial [0-9a-f]{12} \\(answers/[\\w-]+, epoch 1\\), at \\./${place}, has blocked the main thread for \\d+ s`,
    )

  expect(ran).toMatchObject({ code: 1, stdout: '' })
  expect(ran.stderr).toMatch(isAt('stuck\\.ts:\\d'))
  expect(ran.stderr).toContain('Bench ends the process in 1 s, or immediately when you press Ctrl-C twice.')
  expect(ran.stderr).toMatch(/ended because .* blocked for \d+ s; resume with: bench run --resume run$/)
  await goesOn()

  for (const { code, stderr } of [strategy, script]) {
    expect(code).toBe(1)
    expect(stderr).toContain('nothing has begun: fix the code and run the same command again')
  }
  expect(strategy.stderr).toMatch(
    /^the strategy file \.\/top\.ts, while loading, at \.\/top\.ts:3, has blocked/,
  )
  expect(script.stderr).toMatch(
    /^the agent's file agent\.mjs, while loading, at \.\/agent\.mjs:1, has blocked/,
  )

  expect(library).toMatchObject({ exitCode: 0, stdout: '1' })
  expect(library.stderr).toMatch(isAt('slow\\.ts:\\d'))
  expect(library.stderr).not.toContain('Bench ends')
  expect(ended).toMatchObject({ exitCode: 1, stdout: '' })
})

it.each([
  ['none', 0],
  ['-1', 2],
  ['soon', 2],
])('--end-blocked %s gives exit code %i', async (value, code) => {
  const ended = await bench(['--tasks', 'lamp-paths', '--methods', 'baseline', '--end-blocked', value])
  expect(ended.code).toBe(code)
  if (code === 2) expect(ended.stderr).toContain(`[--end-blocked ${value}] is not a number of seconds`)
})

it('an error of a strategy’s forgotten timer is one line, in a run and in a replay', async () => {
  const cwd = folderOf({
    'late.mjs': `import { defineStrategy, z } from 'orchestration-bench'
export default defineStrategy({ name: 'late', summary: 's', options: z.object({}), roles: { solver: 'produce' },
  run: async ({ ask }) => {
    setTimeout(() => { throw new Error('too late') }, 1500)
    return { stopReason: 'done', answer: await ask('solver', 'go') }
  } })`,
  })
  const run = ['--tasks', 'lamp-paths', '--methods', './late.mjs', '--out', 'run', '--quiet']
  for (const args of [run, ['replay', 'run']]) {
    const { code, stderr } = await bench(args, { cwd })
    expect(code, args.join(' ')).toBe(1)
    expect(stderr).toMatch(/an error was thrown after all trials had ended, .*: too late/)
    expect(stderr).not.toContain('    at ')
  }
})

it.each([
  ['throws again and again', 'throw new Error("again")', 1, /thrown after all trials had ended, .*: again$/],
  ['goes on for ever', '', 0, /bench ended the process: .* left a timer or a connection open$/],
])('the process ends although a timer %s, once its output is read', async (_, body, code, message) => {
  const cwd = folderOf({
    'late.mjs': `import { defineStrategy, z } from 'orchestration-bench'
export default defineStrategy({ name: 'late', summary: 's', options: z.object({}), roles: { solver: 'produce' },
  run: async ({ ask }) => {
    setTimeout(() => setInterval(() => { ${body} }, 200), 1000)
    return { stopReason: 'done', answer: await ask('solver', 'go') }
  } })`,
  })
  const ran = await bench(argv`--tasks lamp-paths --methods ./late.mjs --out run --json`, {
    cwd,
  })
  expect(ran.code).toBe(code)
  expect(ran.stderr).toMatch(message)
  expect(JSON.parse(ran.stdout)).toMatchObject({ records: 1 })
})

it('a pilot and a description end although their strategy never does, with one line for its error', async () => {
  const cwd = tempFolder()
  const strategy = (begin: string, run: string) => `import { defineStrategy, z } from 'orchestration-bench'
${begin}
export default defineStrategy({ name: 'late', summary: 's', options: z.object({}), roles: { solver: 'produce' },
  run: async ({ ask }) => { ${run}; return { stopReason: 'done', answer: await ask('solver', 'go') } } })`
  writeFileSync(join(cwd, 'top.mjs'), strategy('setInterval(() => {}, 500)', ''))
  const shown = await bench(['methods', './top.mjs'], { cwd })
  expect(shown).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('left a timer or a connection open'),
  })
  writeFileSync(join(cwd, 'thrown.mjs'), strategy('', 'setInterval(() => { throw new Error("again") }, 300)'))
  const pilot = ['power', '--tasks', 'lamp-paths', '--methods', 'baseline,./thrown.mjs']
  const { code, stderr } = await bench(pilot, { cwd })
  expect(code).toBe(1)
  expect(stderr).toMatch(/was thrown after all trials had ended|threw an error/)
  expect(stderr).not.toContain('    at ')
})
