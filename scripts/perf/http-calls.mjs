// Makes the calls of a run over HTTP with the vendor's model object alone: it reads streams to their end, four in parallel.
// Arguments: the model server's address, how many calls, a file with the prompt.
import { readFileSync } from 'node:fs'
import { createAnthropic } from '@ai-sdk/anthropic'
import pMap from 'p-map'

const [url, count, promptFile] = process.argv.slice(2)
const model = createAnthropic({ baseURL: `${url}/v1`, apiKey: 'none' })('claude-sonnet-4-5')
const prompt = [{ role: 'user', content: [{ type: 'text', text: readFileSync(promptFile, 'utf8') }] }]

async function call() {
  let reply = ''
  const { stream } = await model.doStream({ prompt })
  for await (const part of stream) if (part.type === 'text-delta') reply += part.delta
  return reply
}

const replies = await pMap(Array(Number(count)).keys(), call, { concurrency: 4 })
if (!replies.every((reply) => reply === replies[0] && reply !== '')) throw new Error('a reply was not whole')
