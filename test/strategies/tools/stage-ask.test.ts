import { createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { requestOverSocket } from '../../../strategies/tools/stage-ask.ts'
import { tempFolder } from '../../helpers/machine/temp.ts'

/** Opens a socket on which `speak` plays bench; gives its path. */
async function serve(speak: (socket: Socket) => void): Promise<string> {
  const path = join(tempFolder(), 's')
  const server = createServer((socket) => {
    socket.on('error', () => {})
    speak(socket)
  })
  await new Promise<void>((resolve) => server.listen(path, resolve))
  onTestFinished(() => void server.close())
  return path
}

const hello = `${JSON.stringify({ hello: { version: 1, stage: 's', roles: ['planner'] } })}\n`
const ask = { ask: { role: 'planner', prompt: 'Plan.' } }

it('a request sends one line and takes the answer, in whatever parts it comes', async () => {
  const sent: string[] = []
  const path = await serve((socket) => {
    socket.write(hello.slice(0, 9))
    setTimeout(() => socket.write(hello.slice(9)), 10)
    socket.once('data', (chunk) => {
      sent.push(chunk.toString())
      const answer = Buffer.from('{"id":1,"reply":"schön"}\n')
      socket.write(answer.subarray(0, 20))
      setTimeout(() => socket.write(answer.subarray(20)), 10)
    })
  })
  expect(await requestOverSocket(path, ask)).toEqual({ reply: 'schön' })
  expect(sent).toEqual([`${JSON.stringify({ id: 1, ...ask })}\n`])
})

it.each<[string, (socket: Socket) => void, string]>([
  ['ends before it speaks', (socket) => socket.end(), 'bench ended the connection before it answered'],
  [
    'ends before it answers',
    (socket) => {
      socket.write(hello)
      socket.once('data', () => socket.end())
    },
    'bench ended the connection before it answered',
  ],
  [
    'breaks',
    (socket) => {
      socket.write(hello)
      socket.once('data', () => socket.destroy())
    },
    'bench ended the connection before it answered',
  ],
  ['is of another version', (socket) => socket.write('{"hello":{"version":2}}\n'), 'bench speaks version 2'],
  ['is no bench', (socket) => socket.write('HTTP/1.1 400 Bad Request\n'), 'the connection to bench broke'],
])('a connection that %s is an answer with the reason closed', async (_, speak, message) => {
  const answer = await requestOverSocket(await serve(speak), ask)
  expect(answer).toEqual({ error: { reason: 'closed', message: expect.stringContaining(message) } })
})

it('a socket that is not there is an answer with the reason closed', async () => {
  const answer = await requestOverSocket(join(tempFolder(), 'none'), ask)
  expect(answer).toEqual({
    error: { reason: 'closed', message: expect.stringContaining('cannot be reached (ENOENT)') },
  })
})

it('a request that is longer than a line may be is not sent', async () => {
  const path = await serve(() => {
    throw new Error('somebody connected')
  })
  const answer = await requestOverSocket(path, {
    ask: { role: 'planner', prompt: 'x'.repeat(4 * 1024 ** 2) },
  })
  expect(answer).toEqual({ error: { reason: 'invalid', message: 'a request has at most 4194304 bytes' } })
})
