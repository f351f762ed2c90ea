import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { loadPatientFetch } from '../../../src/agents/wire/patient-fetch.ts'

it('the refusal of a proxy is a reply with its status, and other errors stay errors', async () => {
  const server = createServer((_, response) => response.writeHead(407).end('no'))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const send = await loadPatientFetch()
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const { status, statusText } = await send(url, { method: 'POST', body: 'x' })
  expect([status, statusText]).toEqual([407, 'Proxy Authentication Required'])
  await expect(send('http://127.0.0.1:1')).rejects.toThrow('fetch failed')
  await expect(send(url, { signal: AbortSignal.abort() })).rejects.toThrow('abort')
})
