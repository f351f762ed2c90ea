import { createServer } from 'node:http'
import { expect, it } from 'vitest'
import { loadPatientFetch } from '../../../src/agents/wire/patient-fetch.ts'
import { onLoopback } from '../../helpers/servers/loopback.ts'

it('the refusal of a proxy is a reply with its status, and other errors stay errors', async () => {
  const server = createServer((_, response) => response.writeHead(407).end('no'))
  const send = await loadPatientFetch()
  const url = await onLoopback(server)
  const { status, statusText } = await send(url, { method: 'POST', body: 'x' })
  expect([status, statusText]).toEqual([407, 'Proxy Authentication Required'])
  await expect(send('http://127.0.0.1:1')).rejects.toThrow('fetch failed')
  await expect(send(url, { signal: AbortSignal.abort() })).rejects.toThrow('abort')
})
