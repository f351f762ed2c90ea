import { type AddressInfo, createServer } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import type { Agent } from '../../../src/agents/agent.ts'
import { silentServers } from '../../../src/commands/agents/live-manifest.ts'
import { startRecordingServer } from '../../helpers/servers/recording-server.ts'

const agentsAt = (...endpoints: string[]) =>
  endpoints.map((endpoint, i) => ({ name: `a${i}`, endpoint })) as unknown as Agent[]

/** Returns an address at which nothing listens. */
async function closedAddress(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return `http://127.0.0.1:${port}/v1`
}

it('each address is asked once without a key, and any answer counts', async () => {
  const server = await startRecordingServer()
  onTestFinished(() => server.close())
  const address = `${server.url}/v1`
  expect(await silentServers(agentsAt(address, address), [])).toEqual([])
  expect(await silentServers(agentsAt(address), [])).toEqual([])
  expect(server.requests).toHaveLength(1)
  expect(server.requests[0]).toMatch(/^GET \/v1\/models\n/)
  expect(server.requests[0]).not.toMatch(/authorization|api-key/i)
})

it('a redirect is an answer and is not followed', async () => {
  const target = await startRecordingServer()
  const server = await startRecordingServer(() => ({ status: 302, to: target.url }))
  onTestFinished(() => server.close())
  onTestFinished(() => target.close())
  expect(await silentServers(agentsAt(server.url), [])).toEqual([])
  expect(target.requests).toEqual([])
})

it('a server that was started after it was missed is found', async () => {
  const address = await closedAddress()
  expect(await silentServers(agentsAt(address), [])).toHaveLength(1)
  const server = createServer((socket) => socket.end('HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n'))
  server.listen(Number(new URL(address).port), '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  onTestFinished(() => void server.close())
  expect(await silentServers(agentsAt(address), [])).toEqual([])
})

it('an address where nothing answers is one problem for all its agents, with the remedy', async () => {
  const address = await closedAddress()
  const problems = await silentServers(agentsAt(address, address), [])
  expect(problems).toEqual([
    {
      where: 'agents a0, a1',
      what: `nothing answers at ${address} (ECONNREFUSED)`,
      fix: expect.stringContaining('Start the server, check the network, or correct baseUrl'),
    },
  ])
  const known = [{ where: 'provider ollama', what: `no Ollama answers at ${address}` }]
  expect(await silentServers(agentsAt(address), known)).toEqual([])
})
