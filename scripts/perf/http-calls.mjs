// The same calls as a run over HTTP makes, without the harness: a stream read to its end, four at once.
// Arguments: how (`doStream` or `fetch`), the model server's address, how many calls, a file with the prompt.
import { readFileSync } from 'node:fs'
import pMap from 'p-map'

const [how, url, count, promptFile] = process.argv.slice(2)
const text = readFileSync(promptFile, 'utf8')
const model = 'claude-sonnet-4-5'

const calls = {
  async doStream() {
    const { createAnthropic } = await import('@ai-sdk/anthropic')
    const anthropic = createAnthropic({ baseURL: `${url}/v1`, apiKey: 'none' })(model)
    const prompt = [{ role: 'user', content: [{ type: 'text', text }] }]
    return async () => {
      let reply = ''
      const { stream } = await anthropic.doStream({ prompt })
      for await (const part of stream) if (part.type === 'text-delta') reply += part.delta
      return reply
    }
  },
  async fetch() {
    const body = JSON.stringify({
      model,
      max_tokens: 64_000,
      messages: [{ role: 'user', content: [{ type: 'text', text }] }],
      stream: true,
    })
    const headers = {
      'content-type': 'application/json',
      'anthropic-version': '2023-06-01',
      'x-api-key': 'none',
    }
    return async () => {
      const response = await fetch(`${url}/v1/messages`, { method: 'POST', headers, body })
      const events = (await response.text()).split('\n\n').filter((event) => event.includes('text_delta'))
      return events.map((event) => JSON.parse(event.slice(event.indexOf('data: ') + 6)).delta.text).join('')
    }
  },
}

const call = await calls[how]()
const replies = await pMap(Array(Number(count)).keys(), call, { concurrency: 4 })
if (!replies.every((reply) => reply === replies[0] && reply !== '')) throw new Error('a reply was not whole')
