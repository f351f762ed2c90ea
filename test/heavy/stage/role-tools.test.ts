import { spawn } from 'node:child_process'
import { createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, it, onTestFinished } from 'vitest'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { root } from '../../helpers/runs/cli.ts'

interface Message {
  id: unknown
  result?: { tools?: { name: string }[]; content?: { text: string }[]; isError?: boolean }
  error?: { code: number }
}

/** Starts the server of the tools. `answer` replies to its requests on the socket. */
async function startTools(answer: (asked: Record<string, unknown>) => unknown) {
  const requests: Record<string, unknown>[] = []
  const path = join(tempFolder(), 's')
  const serve = (socket: Socket) => {
    socket.on('error', () => {})
    const hello = { version: 1, stage: 'x', roles: ['writer', 'tester'] }
    socket.write(`${JSON.stringify({ hello })}\n`)
    createInterface({ input: socket }).on('line', async (line) => {
      const { id, ...asked } = JSON.parse(line)
      requests.push(asked)
      socket.write(`${JSON.stringify({ id, ...((await answer(asked)) as object) })}\n`)
    })
  }
  const listening = createServer(serve)
  await new Promise<void>((resolve) => listening.listen(path, resolve))
  const child = spawn(process.execPath, [join(root, 'src/sandbox/programs/role-tools.mjs')], {
    env: { BENCH_SOCKET: path },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  onTestFinished(() => {
    child.kill('SIGKILL')
    listening.close()
  })
  const got: Message[] = []
  createInterface({ input: child.stdout }).on('line', (line) => got.push(JSON.parse(line)))
  const send = (text: string) => child.stdin.write(`${text}\n`)
  const until = async (id: unknown) => {
    await expect.poll(() => got.some((one) => one.id === id), { timeout: 20_000 }).toBe(true)
    return got.find((one) => one.id === id) as Message
  }
  const rpc = (id: number, method: string, params?: unknown) => {
    send(JSON.stringify({ jsonrpc: '2.0', id, method, params }))
    return until(id)
  }
  const call = (id: number, name: string, args: unknown) => rpc(id, 'tools/call', { name, arguments: args })
  return { requests, got, send, until, rpc, call }
}

const textOf = ({ result }: Message) => [result?.content?.[0]?.text, result?.isError]

it('lists four tools, whose calls are requests on the socket', async () => {
  const { rpc, call, requests } = await startTools((asked) => ({ reply: 'ask' in asked ? 'Written.' : null }))
  expect((await rpc(1, 'initialize', { protocolVersion: '2025-03-26' })).result).toMatchObject({
    protocolVersion: '2025-03-26',
  })
  const { tools } = (await rpc(2, 'tools/list')).result ?? {}
  expect(tools?.map(({ name }) => name)).toEqual(['ask_role', 'read', 'check', 'finish'])
  expect(textOf(await call(3, 'ask_role', { role: 'writer', brief: 'Write.' }))).toEqual(['Written.', false])
  expect(textOf(await call(4, 'read', { path: 'none' }))).toEqual(['There is no file none.', true])
  await call(5, 'finish', { result: 'Done.' })
  expect(requests).toEqual([
    { ask: { role: 'writer', prompt: 'Write.' } },
    { read: 'none' },
    { finish: 'Done.' },
  ])
})

it('a client that sends what is no call changes nothing, and gets answers as the protocol wants', async () => {
  const { rpc, call, send, until, requests, got } = await startTools(() => ({ reply: null }))
  for (let i = 0; i < 100; i++) send(['{', '[]', 'null', '"x"', '{"id":null}', '7'][i % 6] as string)
  send(`{"jsonrpc":"2.0","id":"big","method":"${'m'.repeat(10_000_000)}"}`)
  expect((await until('big')).error?.code).toBe(-32601)
  expect((await rpc(1, 'resources/list')).error?.code).toBe(-32601)
  expect((await rpc(2, 'constructor')).error?.code).toBe(-32601)
  expect((await call(3, 'shell', {})).error?.code).toBe(-32602)
  for (const [id, args] of [
    {},
    { role: 'boss', brief: 'b' },
    { role: 7, brief: 'b' },
    { role: 'writer', brief: 'b', shape: {} },
  ].entries())
    expect(textOf(await call(10 + id, 'ask_role', args))[1]).toBe(true)
  expect(requests).toEqual([])
  expect(got.filter(({ error }) => error?.code === -32700)).toHaveLength(17)
})

it('two calls at once are made one after the other', async () => {
  let open = 0
  const { call } = await startTools(async () => {
    expect(++open).toBe(1)
    await new Promise((resolve) => setTimeout(resolve, 50))
    open--
    return { reply: 'x' }
  })
  const both = [call(1, 'check', {}), call(2, 'ask_role', { role: 'tester', brief: 'Test.' })]
  expect((await Promise.all(both)).map(textOf)).toEqual([
    ['x', false],
    ['x', false],
  ])
})
