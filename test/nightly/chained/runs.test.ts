import { appendFileSync, cpSync, existsSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import { expect, it } from 'vitest'
import { selectTasks } from '../../../src/loop/plan/select-tasks.ts'
import type { RunManifest } from '../../../src/schema/run/run.ts'
import type { ChainState } from '../../../src/schema/stage/chain-state.ts'
import { expectSame, replays, runInTwo, runOnce } from '../../cli/run/determinism-scenario.ts'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { argv } from '../../helpers/runs/argv.ts'
import { benchOk, recordsOf, refused, root, stepsOf } from '../../helpers/runs/cli.ts'
import { git, writeFiles } from '../../helpers/stages/chained.ts'
import { startModelServer } from '../../model-server/server.ts'

it(
  'records of chains are byte-identical at parallel 1 and 4, stopped, killed and replayed 100 times, and each patch leads from the start to the graded tree',
  () => expectSameChains('all', { replayed: 100, shipped: 9 }),
  1_200_000,
)

it('chains of the oracle pass each task in files, show no solution, and are replayed', async () => {
  const folder = join(tempFolder(), 'run')
  const tasks = ['--tasks', 'duration-text,job-plan,justify-text']
  await benchOk([...tasks, '--methods', 'chained', '--agents', 'oracle', '--quiet', '--out', folder])
  const records = recordsOf(folder)
  expect(records.map(({ passed, claimed, fidelity }) => [passed, claimed, fidelity?.status])).toEqual(
    Array(3).fill([true, 'done', 'kept']),
  )
  const ended = stepsOf(folder).flatMap((step) => (step.kind === 'stage' ? step : []))
  expect(ended.some(({ resultHash }) => resultHash !== undefined)).toBe(true)
  const solution = readFileSync(
    join(root, 'tasks/code/duration-text/solution/src/parse-duration.mjs'),
    'utf8',
  )
  const start = readFileSync(join(root, 'tasks/code/duration-text/files/src/parse-duration.mjs'), 'utf8')
  const telling = solution.split('\n').filter((line) => line.length > 20 && !start.includes(line))
  const written = ['steps.jsonl', 'records.jsonl', 'events.jsonl'].map((name) =>
    readFileSync(join(folder, name), 'utf8'),
  )
  expect(telling.length).toBeGreaterThan(3)
  for (const line of telling)
    for (const text of written) expect(text).not.toContain(JSON.stringify(line).slice(1, -1))
  for (const { trial } of records) {
    const patch = join(folder, 'artifacts', trial, 'outputs/change.patch')
    if (existsSync(patch)) expect(readFileSync(patch, 'utf8')).toMatch(/withheld/)
  }
  await benchOk(['replay', folder, '--times', '2'])
})

it('chains of a paid agent are refused without a sandbox for any task, before anybody is asked', async () => {
  const server = await startModelServer([{ text: 'Answer: 42', always: true }])
  try {
    const env = { PATH: tempFolder(), OPENAI_COMPATIBLE_BASE_URL: `${server.url}/v1` }
    const args = ['--tasks', 'ferry-morning', '--methods', 'chained', '--mode', 'live', '--quiet']
    const words = [/agent openai-compatible:m\] writes code that would run in no sandbox/]
    const agent = ['--agents', 'openai-compatible:m']
    await refused([...args, ...agent], words, { cwd: tempFolder(), env })
    await refused([...args, ...agent, '--dry-run'], words, { cwd: tempFolder(), env })
    expect(server.asked()).toBe(0)
  } finally {
    await server.close()
  }
})

it('a program of the chain or a tool that was changed makes another method of it, and a resume says so', async () => {
  const copy = tempFolder()
  for (const part of [
    'package.json',
    'dist',
    'strategies',
    'tasks',
    'fixtures/profiles',
    'src/replies/answers/phrases',
    'src/graders/harness',
    'src/sandbox/programs',
  ])
    cpSync(join(root, part), join(copy, part), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
  const run = async (name: string) => {
    const words = argv`run --tasks ferry-morning --methods chained,baseline --quiet --out ${name}`
    await execa(process.execPath, [join(copy, 'dist/bench/cli.cjs'), ...words], { cwd: copy })
    const { methods } = JSON.parse(readFileSync(join(copy, name, 'run.json'), 'utf8')) as RunManifest
    return methods.map(({ digest }) => digest)
  }
  const [before, baseline] = await run('before')
  const seen = [before]
  for (const path of [
    'strategies/chained/ask.mjs',
    'dist/bench/tools/state.schema.json',
    'dist/bench/tools/test-runner.mjs',
  ]) {
    appendFileSync(join(copy, path), '\n')
    const [now, same] = await run(path.replaceAll('/', '-'))
    expect(seen).not.toContain(now)
    expect(same).toBe(baseline)
    seen.push(now)
  }
  const replayed = await execa(process.execPath, [join(copy, 'dist/bench/cli.cjs'), 'replay', 'before'], {
    cwd: copy,
    reject: false,
  })
  expect(replayed.stderr).toMatch(/method chained has changed since this run started/)
})

/**
 * Runs chains on tasks one by one, side by side, stopped and killed, and expects equal records; replays them; and expects of each
 * patch that it leads from the start to the graded tree. At least `shipped` trials must have a patch.
 */
async function expectSameChains(tasks: string, least: { replayed: number; shipped: number }): Promise<void> {
  const plan = ['--tasks', tasks, '--methods', 'chained', '--seed', '3']
  const one = await runOnce(plan, {}, '--parallel', '1')
  const four = await runOnce(plan, {}, '--parallel', '4')
  expectSame(four, one)
  expectSame(await runInTwo([...plan, '--parallel', '2'], 'SIGINT', four), one)
  expectSame(await runInTwo([...plan, '--parallel', '2'], 'SIGKILL', four), one)
  await replays(one, least.replayed)
  const shipped = await patchedTrees(one.folder)
  expect(shipped.length).toBeGreaterThanOrEqual(least.shipped)
  for (const { task, patched, tree } of shipped) expect(patched, task).toBe(tree)
}

/** Applies the patch of each trial to the files of its task. */
async function patchedTrees(run: string) {
  const tasks = new Map((await selectTasks('all', 1)).tasks.map((task) => [task.ref, task]))
  const trees: { task: string; patched: string; tree: string }[] = []
  for (const { task, trial, state } of recordsOf(run)) {
    const { ship } = (state as { state: ChainState }).state
    if (!ship) continue
    const folder = tempFolder()
    writeFiles(folder, tasks.get(task)?.files ?? {})
    await git(folder, 'init', '--quiet')
    await git(folder, 'apply', join(run, 'artifacts', trial, 'outputs/change.patch'))
    await git(folder, 'add', '--all', '--force')
    trees.push({ task, patched: (await git(folder, 'write-tree')).trim(), tree: ship.tree })
  }
  return trees
}
