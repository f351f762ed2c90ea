import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { refuseEveryRequest } from '../../src/agents/gateway/forward.ts'
import { openGateway } from '../../src/sandbox/gateway.ts'
import { gatewayRules } from '../helpers/agents/gateway-rules.ts'
import { fuzzGateway, sendRaw } from '../helpers/fuzz/fuzz-gateway.ts'
import { level } from '../helpers/house/level.ts'

fuzzGateway(level(1_250, 10_000), Date.now() % 2 ** 31)

const asked = 'GET /x HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'
const statusOf = (reply: string) => Number(/^HTTP\/1\.1 (\d+)/.exec(reply)?.[1])

async function gateway() {
  const open = await openGateway(refuseEveryRequest(gatewayRules()), { isolated: false })
  onTestFinished(() => open.close())
  return open
}

it('a gateway limits its connections, and accepts new ones when old ones close', async () => {
  const open = await gateway()
  const { hostname, port } = new URL(open.url)
  const sockets: Socket[] = []
  onTestFinished(() => void sockets.map((socket) => socket.destroy()))
  // One after the other: a kernel whose queue is full keeps a client waiting for a minute.
  while (sockets.length < 1500) {
    const socket = connect(Number(port), hostname).on('error', () => {})
    sockets.push(socket)
    await once(socket, 'connect')
  }
  await expect.poll(() => sockets.filter(({ closed }) => closed).length, { timeout: 20_000 }).toBe(1500 - 256)
  for (const socket of sockets) socket.destroy()
  await expect.poll(async () => statusOf(await sendRaw(open, asked))).toBe(403)
})

it('a gateway closes the connection of a request that never ends, after its time', async () => {
  const open = await gateway()
  const { hostname, port } = new URL(open.url)
  const slow = [connect(Number(port), hostname), connect(Number(port), hostname)]
  onTestFinished(() => void slow.map((socket) => socket.destroy()))
  slow[0]?.write('GET /x HTTP/1.1\r\nX-A: ')
  const drip = setInterval(() => slow[0]?.write('a'), 500)
  onTestFinished(() => clearInterval(drip))
  for (const socket of slow) socket.on('error', () => {}).resume()
  expect(statusOf(await sendRaw(open, asked))).toBe(403)
  await expect.poll(() => slow.filter(({ closed }) => closed).length, { timeout: 30_000 }).toBe(2)
})
