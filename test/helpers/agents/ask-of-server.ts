import { createServer, type ServerResponse } from 'node:http'
import { onLoopback } from '../servers/loopback.ts'
import { agentRequest } from './agent-request.ts'
import { agentAt } from './http-agents.ts'
import { callingAgent } from './tool-agents.ts'

/** Sends what a server answers to each request. */
export type Send = (response: ServerResponse) => void

/** Asks an agent whose server sends just this. Gives the reply, asks again, and counts connections. */
export async function askOfServer(agent: string, send: Send, first = {}) {
  let connections = 0
  const server = createServer((request, response) => {
    request.resume()
    request.on('end', () => send(response))
  })
  server.on('connection', () => connections++)
  const url = await onLoopback(server)
  const caller = agent.startsWith('ollama') ? await callingAgent(agent, url) : await agentAt(agent, url)
  const once = (more = {}) => caller.ask(agentRequest(more), new AbortController().signal)
  return { reply: await once(first), again: once, connections: () => connections }
}
