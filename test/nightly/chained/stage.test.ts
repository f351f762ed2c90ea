import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { lockRunFolder } from '../../../src/loop/record/lock.ts'
import { argv } from '../../helpers/runs/argv.ts'
import { bench, benchOk, recordsOf, refused, startBench, stepsOf } from '../../helpers/runs/cli.ts'
import { git, stateIn } from '../../helpers/stages/chained.ts'
import { projectFiles, stageProject, textsIn } from '../../helpers/stages/stage-runs.ts'

const wait = (ms: number) => ({ WORKER_WAIT: `${ms}` })
/** The files of a workflow. */
const filesOf = (cwd: string, workflow: string) =>
  Object.fromEntries(
    Object.entries(textsIn(join(cwd, '.bench', workflow))).filter(
      ([path]) => !path.startsWith('repository/logs'),
    ),
  )

it('bench stage ends with 1 if the stage is not content, and prints what it found', async () => {
  const { cwd, scripted } = stageProject()
  await benchOk(['stage', 'build', 'task-7', 'w2', '--request', 'Mend add.', ...scripted], { cwd })
  const ended = await bench(['stage', 'review', 'task-7', 'w2', ...scripted], { cwd })
  expect(ended.code).toBe(1)
  expect(ended.stdout).toMatch(
    /^stage review: failed, .*\n\nreview: \{"verdict":"revise","comments":"dull","blocking":\["say why"\]\}\n/,
  )
  expect(stateIn(cwd, 'w2')).toMatchObject({ task: 'Mend add.', review: { verdict: 'revise' } })
})

it('bench stage refuses a workflow on which another one works, one of another issue, and a damaged one', async () => {
  const { cwd, scripted } = stageProject()
  await benchOk(['stage', 'plan', 'issue.md', 'w1', ...scripted], { cwd })
  const plan = (issue: string, ...more: string[]) => ['stage', 'plan', issue, 'w1', ...scripted, ...more]
  const lock = lockRunFolder(join(cwd, '.bench/w1'))
  await refused(plan('issue.md'), [/another bench stage works on workflow w1. Wait until it has ended/], {
    cwd,
  })
  lock.release()
  await refused(plan('other', '--request', 'x'), [/workflow w1 is about issue "issue", not "other"/], { cwd })
  writeFileSync(join(cwd, 'issue.md'), 'Another task.\n')
  await refused(plan('issue.md'), [/the task of issue.md is not the one that workflow w1 began with/], {
    cwd,
  })
  const state = join(cwd, '.bench/w1/state.json')
  writeFileSync(state, '{"version":1')
  await refused(plan('issue.md'), [/state.json is not JSON/], { cwd })
  expect(readFileSync(state, 'utf8')).toBe('{"version":1')
})

it('bench stage shows no key to agents, neither in the workspace nor in what the workflow began with', async () => {
  const { cwd, scripted } = stageProject({ ...projectFiles, '.env': 'TOKEN=abc\n' })
  await benchOk(['stage', 'plan', 'issue.md', 'w1', ...scripted, '-o', 'run'], { cwd })
  expect(existsSync(join(cwd, '.bench/w1/workspace/.env'))).toBe(true)
  for (const file of ['run.json', 'request.json', 'steps.jsonl'])
    expect(readFileSync(join(cwd, 'run', file), 'utf8')).not.toContain('TOKEN=abc')
  const { methods } = JSON.parse(readFileSync(join(cwd, 'run/run.json'), 'utf8'))
  expect(Object.keys(methods[0].options.start).sort()).toEqual(Object.keys(projectFiles).sort())
})

it('the six stages lead to a branch and a patch that the user’s folder takes, beside files that agents do not see', async () => {
  const { cwd, scripted } = stageProject()
  writeFileSync(join(cwd, 'logo.png'), Buffer.from([137, 80, 78, 71, 0, 255]))
  chmodSync(join(cwd, 'sum.mjs'), 0o755)
  const run = (stage: string) => bench(['stage', stage, 'issue.md', 'w1', ...scripted], { cwd })
  for (const stage of ['plan', 'build', 'test', 'document'])
    expect(await run(stage)).toMatchObject({ code: 0 })
  expect(await run('review')).toMatchObject({ code: 1 })
  const shipped = await run('ship')
  expect(shipped.code).toBe(0)
  expect(shipped.stdout).toContain('patch: .bench/w1/change.patch')
  const { ship, stages } = stateIn(cwd, 'w1')
  expect(stages.map(({ stage }) => stage)).toEqual(['plan', 'build', 'test', 'document', 'review', 'ship'])
  expect(ship?.files).toEqual(['old.txt', 'sum.mjs'])
  const repository = join(cwd, '.bench/w1/repository')
  expect(
    await git(cwd, '--git-dir', repository, 'rev-parse', 'bench/w1', 'bench/w1^', 'bench/w1^{tree}'),
  ).toBe(`${ship?.commit}\n${ship?.base}\n${ship?.tree}\n`)
  expect(await git(cwd, '--git-dir', repository, 'ls-tree', '-r', 'bench/w1')).toMatch(
    /100644 .*logo\.png\n100755 .*sum\.mjs\n/,
  )
  await git(cwd, 'apply', '.bench/w1/change.patch')
  expect(readFileSync(join(cwd, 'sum.mjs'), 'utf8')).toContain('a + b')
  expect(existsSync(join(cwd, 'old.txt'))).toBe(false)
})

it('two stages at once on two workflows of one folder end as each does alone', async () => {
  const { cwd, scripted } = stageProject()
  const alone = stageProject()
  await benchOk(['stage', 'build', 'issue.md', 'w1', ...alone.scripted], { cwd: alone.cwd })
  const both = ['w1', 'w2'].map((id) =>
    startBench(['stage', 'build', 'issue.md', id, ...scripted], { cwd, env: wait(300) }),
  )
  for (const { ended } of both) {
    const { code, stderr } = await ended
    expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' })
  }
  const expected = JSON.stringify(filesOf(alone.cwd, 'w1'))
  expect(JSON.stringify(filesOf(cwd, 'w1'))).toBe(expected)
  expect(JSON.stringify(filesOf(cwd, 'w2')).replaceAll('w2', 'w1')).toBe(expected)
})

it('of two stages at once on one workflow, the second is refused and the first ends', async () => {
  const { cwd, scripted } = stageProject()
  await benchOk(['stage', 'plan', 'issue.md', 'w1', ...scripted], { cwd })
  const args = ['stage', 'build', 'issue.md', 'w1', ...scripted]
  const first = startBench([...args, '-o', 'run'], { cwd, env: wait(4000) })
  while (!existsSync(join(cwd, 'run/run.json')) && !first.isOver())
    await new Promise((done) => setTimeout(done, 20))
  await refused(args, [/another bench stage works on workflow w1/], { cwd })
  expect(await first.ended).toMatchObject({ code: 0 })
  expect(stateIn(cwd, 'w1').stages).toHaveLength(2)
})

describe.each(['SIGINT', 'SIGKILL'] as const)('a stage that %s ends', (signal) => {
  it('leaves the workflow as it was, and goes on with --resume', async () => {
    const { cwd, asked, scripted } = stageProject()
    await benchOk(['stage', 'plan', 'issue.md', 'w1', ...scripted], { cwd })
    const before = filesOf(cwd, 'w1')
    const args = ['stage', 'build', 'issue.md', 'w1']
    const running = startBench([...args, ...scripted, '-o', 'run'], { cwd, env: wait(60_000) })
    while (asked().length < 2 && !running.isOver()) await new Promise((done) => setTimeout(done, 20))
    running.kill(signal)
    const ended = await running.ended
    if (signal === 'SIGINT') {
      expect(ended.code).toBe(130)
      expect(ended.stderr).toContain(
        'Resume with: bench stage build issue.md w1 --resume run\nworkflow w1 is as it was before',
      )
    }
    expect(filesOf(cwd, 'w1')).toEqual(before)
    await refused(
      argv`stage review issue.md w1 --resume run`,
      [/is not a run of bench stage review. It is one of bench stage build/],
      { cwd },
    )
    const resumed = await bench([...args, '--resume', 'run', '--quiet'], { cwd })
    expect(resumed).toMatchObject({ code: 0 })
    expect(filesOf(cwd, 'w1')['workspace/sum.mjs']).toContain('a + b')
    expect(stateIn(cwd, 'w1').stages).toHaveLength(2)
    // The run is over, and the workflow has gone on.
    await refused(
      argv`${args} --resume run`,
      [
        /did not begin with the state that workflow w1 has now. Run the stage again: bench stage build issue.md w1/,
      ],
      { cwd },
    )
  })
})

it('a stage whose run has ended, but whose work was not written, is finished by --resume without asking', async () => {
  const { cwd, asked, scripted } = stageProject()
  await benchOk(['stage', 'plan', 'issue.md', 'w1', ...scripted], { cwd })
  const args = ['stage', 'build', 'issue.md', 'w1']
  writeFileSync(join(cwd, '.bench/w1/workspace/sum.mjs'), projectFiles['sum.mjs'])
  const running = startBench([...args, ...scripted, '-o', 'run'], { cwd, env: wait(3000) })
  while (asked().length < 2 && !running.isOver()) await new Promise((done) => setTimeout(done, 20))
  writeFileSync(join(cwd, '.bench/w1/workspace/sum.mjs'), 'mine\n')
  const ended = await running.ended
  expect(ended).toMatchObject({ code: 2 })
  expect(ended.stderr).toMatch(
    /\[\.bench\/w1\] was not changed: the work of the stage is not written.*: sum\.mjs\./,
  )
  expect(stateIn(cwd, 'w1').stages).toHaveLength(1)
  writeFileSync(join(cwd, '.bench/w1/workspace/sum.mjs'), projectFiles['sum.mjs'])
  expect(await bench([...args, '--resume', 'run', '--quiet'], { cwd })).toMatchObject({ code: 0 })
  expect(asked()).toEqual(['planner', 'builder'])
  expect(filesOf(cwd, 'w1')['workspace/sum.mjs']).toContain('a + b')
})

it('a stage that a limit cuts off leaves the workflow as it was, and says so', async () => {
  const { cwd, scripted } = stageProject()
  await benchOk(['stage', 'plan', 'issue.md', 'w1', ...scripted], { cwd })
  const before = filesOf(cwd, 'w1')
  const args = ['stage', 'build', 'issue.md', 'w1', ...scripted, '--mode', 'live', '--limit', 'timeMs=2000']
  const { code, stdout } = await startBench(args, { cwd, env: wait(60_000) }).ended
  expect(code).toBe(1)
  expect(stdout).toMatch(/^stage build: limited, .*; workflow w1 is as it was before\n\ntotal: /)
  expect(filesOf(cwd, 'w1')).toEqual(before)
})

it('a stage whose agent gives no reply leaves the workflow as it was, and can be tried again', async () => {
  const { cwd, asked, scripted } = stageProject()
  const args = ['stage', 'plan', 'issue.md', 'w1']
  const { code, stdout } = await startBench(argv`${args} ${scripted} -o run`, {
    cwd,
    env: { WORKER_FAIL: '1' },
  }).ended
  expect(code).toBe(1)
  expect(stdout).toMatch(/^stage plan: error, .*no server.*; workflow w1 is as it was before\n/)
  expect(stateIn(cwd, 'w1').stages).toEqual([])
  const again = await bench([...args, '--resume', 'run', '--retry-errors', '--quiet'], { cwd })
  expect(again).toMatchObject({ code: 0 })
  expect(stateIn(cwd, 'w1').stages).toMatchObject([{ stage: 'plan', status: 'done' }])
  expect(asked()).toEqual(['planner', 'planner'])
})

it('bench stage runs one stage with agents, and writes its state and its files into the workflow alone', async () => {
  const { cwd, asked, scripted } = stageProject()
  const plan = await benchOk(['stage', 'plan', 'issue.md', 'w1', ...scripted, '-o', 'run'], { cwd })
  expect(plan).toBe(`stage plan: done, a plan of 1 line

planner says

state: .bench/w1/state.json
total: 1 call, 10 tokens in, 4 out, $0.500, simulated`)
  expect(stateIn(cwd, 'w1')).toMatchObject({ workflow_id: 'w1', issue: 'issue', task: 'Mend add.\n' })
  expect(stepsOf(join(cwd, 'run')).map(({ kind }) => kind)).toContain('stage')

  const built = await benchOk(['stage', 'build', 'issue.md', 'w1', ...scripted, '--json'], { cwd })
  const report = JSON.parse(built)
  expect(report).toMatchObject({
    ...{ workflow: 'w1', issue: 'issue', stage: 'build', exitCode: 0, broken: null, simulated: true },
    ...{ written: ['sum.mjs'], deleted: ['old.txt'], state: '.bench/w1/state.json' },
    status: { stage: 'build', status: 'done' },
    result: { answer: expect.stringContaining('Mended.') },
  })
  const [record] = recordsOf(join(cwd, report.run))
  expect(record).toMatchObject({ trial: report.trial, method: 'build', task: 'request/issue' })
  expect(readFileSync(join(cwd, '.bench/w1/workspace/sum.mjs'), 'utf8')).toContain('a + b')
  expect(existsSync(join(cwd, '.bench/w1/workspace/old.txt'))).toBe(false)
  expect(stateIn(cwd, 'w1').stages.map(({ stage, status }) => `${stage} ${status}`)).toEqual([
    'plan done',
    'build done',
  ])
  // The user's own files are as they were.
  expect(textsIn(cwd)).toMatchObject(projectFiles)
  expect(asked()).toEqual(['planner', 'builder'])
})

it('bench stage refuses wrong words, and then makes no workflow', async () => {
  const { cwd } = stageProject()
  const wrong: [string[], RegExp][] = [
    [
      ['plann', 'issue.md', 'w1'],
      /\[stage plann\] is unknown. Use one of plan, build, test, review, document, ship/,
    ],
    [['plan', 'issue.md', '../w1'], /the workflow id must be small letters/],
    [['plan', 'no/such', 'w1'], /"no\/such" is neither a file nor an id/],
    [
      ['plan', 'task-7', 'w1'],
      /the workflow has no task. Start another one: give a text file as ISSUE, or add --request/,
    ],
    [['plan', 'task-7', 'w1', '--request', ' '], /\[--request\] is empty/],
    [['plan', 'issue.md', 'w1', '--request', 'x'], /issue.md is a file, so its text is the task/],
    [['plan', 'task-7', 'w1', '--request', 'x', '--resume', 'run'], /--request\] conflicts with --resume/],
    [['plan', 'issue.md', 'w1', '--agents', 'nobody'], /nobody/],
    [['plan', 'issue.md', 'w1', '--agent', 'auditor=simulated'], /no selected method has a role "auditor"/],
    [['plan', 'issue.md', 'w1', '--limit', 'calls=x'], /--limit calls=x/],
  ]
  for (const [args, message] of wrong) await refused(['stage', ...args], [message], { cwd })
  expect(Object.keys(textsIn(cwd)).filter((path) => path.startsWith('.bench/w1'))).toEqual([])
})
