import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { refused, startBench } from '../../helpers/runs/cli.ts'

const call = async (args: readonly string[], env: Record<string, string>) =>
  await startBench(args, { env }).ended

it('bench ask speaks with the socket of a stage and ends with the exit code of the answer', async () => {
  const socket = join(tempFolder(), 's')
  const server = createServer((connection) => {
    connection.write('{"hello":{"version":1,"stage":"s","roles":["planner"]}}\n')
    connection.on('data', (chunk) => {
      const { id, ask } = JSON.parse(chunk.toString())
      const answer = ask.role === 'planner' ? { reply: ask } : { error: { reason: 'busy', message: 'wait' } }
      connection.write(`${JSON.stringify({ id, ...answer })}\n`)
    })
  })
  await new Promise<void>((resolve) => server.listen(socket, resolve))
  onTestFinished(() => void server.close())
  const env = { BENCH_SOCKET: socket }
  expect(await call(['ask', 'planner', 'Plan.', '--system', 'Brief.', '--work', 'judge'], env)).toMatchObject(
    {
      ...{ code: 0, stderr: '' },
      stdout: '{"role":"planner","prompt":"Plan.","system":"Brief.","work":"judge"}',
    },
  )
  expect(await call(['ask', 'builder', 'Build.', '--json'], env)).toMatchObject({
    ...{ code: 4, stderr: 'bench: busy: wait' },
    stdout: '{"error":{"reason":"busy","message":"wait"}}',
  })
})

it('bench state reads and changes the state file where BENCH_STATE names one', async () => {
  const file = join(tempFolder(), 'state.json')
  writeFileSync(file, '{"plan":"first"}')
  const env = { BENCH_STATE: file }
  expect(await call(['state', 'plan'], env)).toMatchObject({ code: 0, stdout: 'first', stderr: '' })
  expect(await call(['state', '--set', 'round=2'], env)).toMatchObject({ code: 0, stdout: '', stderr: '' })
  expect(readFileSync(file, 'utf8')).toBe('{\n  "plan": "first",\n  "round": 2\n}\n')
  expect(await call(['state', 'answer'], env)).toMatchObject({ code: 1, stdout: '' })
})

it('outside of a stage, bench ask and bench state say what is missing', async () => {
  await refused(['ask', 'planner', 'Plan.'], [/\[BENCH_SOCKET\] is not set: ask works inside a stage only/])
  await refused(['state'], [/\[RUN\] is missing/])
  await refused(['state', 'run', '--json'], [/\[--json\] works inside a stage only/])
})
