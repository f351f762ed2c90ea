import { cpSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
// @ts-expect-error a script without types
import { langGraphFolder } from '../../../scripts/install-clis.mjs'
import { benchOk, root } from '../../helpers/runs/cli.ts'
import {
  applications,
  costOf,
  holding,
  liveRun,
  pricesIn,
  trialsOf,
} from '../../helpers/stages/applications.ts'

it('a graph of LangGraph.js is compared by ten lines of config, to the token and the dollar', async () => {
  const { cwd, env, server } = await applications(
    ({ body, stream }) => ({
      text: JSON.stringify(body).includes('Plan this task') ? '1. Add.' : 'Answer: 418',
      ...(stream && { pieces: 7 }),
    }),
    {},
  )
  const example = join(root, 'fixtures/applications/langgraph')
  mkdirSync(join(cwd, 'app'))
  cpSync(join(langGraphFolder(), 'node_modules'), join(cwd, 'app/node_modules'), {
    recursive: true,
    verbatimSymlinks: true,
  })
  for (const file of ['app.mjs', 'package.json']) cpSync(join(example, file), join(cwd, 'app', file))
  cpSync(join(example, 'bench.config.yaml'), join(cwd, 'bench.config.yaml'))
  await benchOk(
    liveRun('mine,baseline', '--agent', 'planner=openai-compatible:large', '--epochs', '2', ...pricesIn(cwd)),
    {
      cwd,
      env,
    },
  )

  const { mine } = trialsOf(join(cwd, 'r'))
  expect(mine?.record).toMatchObject({
    passed: true,
    detail: 'requests to models: 2',
    fidelity: { status: 'kept' },
  })
  const planned = holding(server, 'Plan this task')
  const solved = holding(server, '# Plan')
  expect([...planned, ...solved].map(({ model, stream }) => [model, stream === true])).toEqual([
    ['large', false],
    ['large', false],
    ['local-model', true],
    ['local-model', true],
  ])
  expect(mine?.asks.map(({ role, tokens }) => [role, tokens.input, tokens.output])).toEqual([
    ['planner', planned[0]?.usage?.input, planned[0]?.usage?.output],
    ['solver', solved[0]?.usage?.input, solved[0]?.usage?.output],
  ])
  expect(mine?.record.spent.costUsd).toBeCloseTo(
    costOf([planned[0], solved[0]].flatMap((one) => one ?? [])),
    9,
  )
  await benchOk(['replay', 'r'], { cwd })
})
