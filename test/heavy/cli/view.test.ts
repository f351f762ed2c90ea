import { expect, it } from 'vitest'
import { folderOf } from '../../helpers/machine/temp.ts'
import { argv } from '../../helpers/runs/argv.ts'
import { benchOk, refused, startBench } from '../../helpers/runs/cli.ts'

it('bench view shows the runs of a folder until it is interrupted, and then ends with exit code 0', async () => {
  const cwd = folderOf({})
  await benchOk(argv`--tasks ferry-morning --methods baseline --quiet --out results/one`, { cwd })
  const { port } = new URL('http://127.0.0.1:18973')
  const running = startBench(argv`view results/one --port ${port}`, { cwd })
  await running.says(/Ctrl-C/)
  const answer = await fetch(`http://127.0.0.1:${port}/runs/one`)
  expect([answer.status, await answer.text()]).toEqual([
    401,
    'Open the address that bench view printed: it holds a token.',
  ])
  await refused(
    argv`view results/one --port ${port}`,
    [/127\.0\.0\.1:18973/, /is in use by another program/],
    { cwd },
  )
  running.kill('SIGINT')
  const { code, stdout } = await running.ended
  expect(code).toBe(0)
  expect(stdout).toMatch(/^http:\/\/127\.0\.0\.1:18973\/runs\/one\?token=[\w-]{32}$/)
})

it('bench run --view prints the address of the run when it begins, and goes on showing it when it has ended', async () => {
  const cwd = folderOf({})
  const running = startBench(
    argv`--tasks ferry-morning --methods baseline --quiet --view --out results/one`,
    { cwd },
  )
  await running.says(/page: http/)
  await running.says(/run folder: /)
  expect(running.isOver()).toBe(false)
  running.kill('SIGINT')
  const { code, stderr, stdout } = await running.ended
  expect(code).toBe(0)
  expect(stdout).toContain('baseline')
  expect(stderr).toMatch(/page: http:\/\/127\.0\.0\.1:\d+\/runs\/one\?token=/)
})

it.each([
  ['view nowhere', /names no run/],
  ['view --port x', /\[--port x\] is not a whole number/],
  ['view --port 70000', /\[--port 70000\] is no port/],
  ['view --host 0.0.0.0', /is every address of this machine/],
])('bench %s is refused', async (typed, words) => {
  await refused(typed.split(' '), [words], { cwd: folderOf({}) })
})
