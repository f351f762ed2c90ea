import { join } from 'node:path'
import { expect, it } from 'vitest'
import { bench, benchOk } from '../../helpers/runs/cli.ts'
import { applications, liveRun, trialsOf } from '../../helpers/stages/applications.ts'

it('a limit of time of a trial holds: the program is ended in a request, which is paid, perhaps, and counted by its size', async () => {
  const { cwd, env, server, methods } = await applications(
    (request) =>
      JSON.stringify(request.body).includes('two') ? { failure: { kind: 'hang' } } : { text: 'Answer: 418' },
    { app: `await ask('one'); writeFileSync('half.txt', 'x'); await ask('two')` },
  )
  await bench(liveRun(methods, '--limit', 'timeMs=8000'), { cwd, env })
  const { app } = trialsOf(join(cwd, 'r'))
  expect(app?.record.outcome.status).toBe('limited')
  expect(app?.record.outcome.reason).toMatch(/^timeMs: \d+ ms used; the stage "application" was cut off$/)
  expect(app?.stage).toMatchObject({ exitCode: null, limited: true, asks: 2, log: [] })
  expect(app?.asks.map(({ error, tokens }) => [error?.reason, tokens.input === null])).toEqual([
    [undefined, false],
    ['request', true],
  ])
  expect(server.asked()).toBe(2)
  await benchOk(['replay', 'r'], { cwd })
})
