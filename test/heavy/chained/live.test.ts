import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import type { AskStep } from '../../../src/schema/ledger/step.ts'
import { bench, benchOk, recordsOf, refused, stepsOf } from '../../helpers/runs/cli.ts'
import { stateIn } from '../../helpers/stages/chained.ts'
import { stageProject, textsIn } from '../../helpers/stages/stage-runs.ts'
import { startModelServer } from '../../model-server/server.ts'

const key = 'sk-live-test-0123456789abcdef'
const fixed = 'FILE: sum.mjs\n```\nexport const add = (a, b) => a + b\n```'

/** A project, and a provider on loopback that plans, mends it and approves. */
async function liveProject() {
  const server = await startModelServer(({ messages }) => {
    const prompt = messages.at(-1)?.text ?? ''
    if (/JSON Schema|one JSON value/.test(prompt))
      return { text: JSON.stringify({ verdict: 'approve', comments: 'good', blocking: [] }) }
    return {
      text: prompt.includes('FILE: path/to/file') || /Solve the task/.test(prompt) ? fixed : 'Mend it.',
    }
  })
  onTestFinished(() => server.close())
  const env = { ANTHROPIC_API_KEY: key, ANTHROPIC_BASE_URL: server.url }
  const { cwd } = stageProject()
  const stage = (name: string, ...more: string[]) => [
    ...[
      'stage',
      name,
      'issue.md',
      'w1',
      '--mode',
      'live',
      '--agents',
      'anthropic:claude-sonnet-4-5',
      '--quiet',
    ],
    ...more,
  ]
  return { server, cwd, env, stage }
}

it('stages ask a live provider, whose tokens are in the ledger, and its key is nowhere', async () => {
  const { server, cwd, env, stage } = await liveProject()
  for (const name of ['plan', 'build', 'test', 'review', 'document', 'ship']) {
    const ended = await bench(stage(name, '-o', `run-${name}`, '--allow-unsandboxed'), { cwd, env })
    expect(ended, ended.stderr).toMatchObject({ code: 0 })
  }
  expect(server.asked()).toBe(4)
  const asks = ['plan', 'build', 'review', 'document'].flatMap((name) =>
    stepsOf(join(cwd, `run-${name}`)).filter((step): step is AskStep => step.kind === 'ask'),
  )
  expect(asks.map(({ role }) => role)).toEqual(['planner', 'builder', 'reviewer', 'documenter'])
  for (const [i, { usage }] of server.log.entries())
    expect(asks[i]?.tokens).toMatchObject({ input: usage?.input, output: usage?.output })
  expect(recordsOf(join(cwd, 'run-plan'))[0]).toMatchObject({ simulated: false, mode: 'live' })
  expect(stateIn(cwd, 'w1')).toMatchObject({
    plan: 'Mend it.',
    test_results: { success: true },
    review: { verdict: 'approve' },
    ship: { files: ['sum.mjs'] },
  })
  for (const text of Object.values(textsIn(cwd))) expect(text).not.toContain(key)
})

it('stages that a live agent may steer need the sandbox or --allow-unsandboxed, as runs do', async () => {
  const { server, cwd, env, stage } = await liveProject()
  await refused(
    stage('build', '--sandbox', 'none'),
    [/--allow-unsandboxed on a machine that holds nothing/],
    { cwd, env },
  )
  expect(existsSync(join(cwd, '.bench/w1'))).toBe(false)
  await refused(stage('plan', '--dev'), [/--dev\] conflicts with --mode live/], { cwd, env })
  expect(server.asked()).toBe(0)
})

it('a stage that may cost more than --confirm-above is not begun without consent', async () => {
  const { server, cwd, env, stage } = await liveProject()
  const args = stage('plan', '--allow-unsandboxed', '--confirm-above', '0.0000001')
  const ended = await bench(args, { cwd, env })
  expect(ended.code).not.toBe(0)
  expect(server.asked()).toBe(0)
  expect(existsSync(join(cwd, '.bench/w1'))).toBe(false)
  await benchOk([...args, '--yes', '-o', 'run'], { cwd, env })
  expect(server.asked()).toBe(1)
  expect(readFileSync(join(cwd, 'run/run.json'), 'utf8')).not.toContain(key)
})
