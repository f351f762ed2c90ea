#!/usr/bin/env node
// Stands in for an agent CLI, by the name that it is called by: asks its provider as that one would, works in its folder
// and HOME, and prints what that one prints. Its answer is JSON: what it was given.
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { text } from 'node:stream/consumers'

const cli = basename(process.argv[1]).replace('.mjs', '')
const args = process.argv.slice(2)
if (args[0] === '--version') {
  console.log(`${cli} 1.2.3`)
  process.exit(0)
}
const home = process.env.HOME
const read = (path) => (existsSync(join(home, path)) ? readFileSync(join(home, path), 'utf8') : undefined)
const prompt = await text(process.stdin)
const settings = {
  claude: () => process.env.ANTHROPIC_BASE_URL,
  codex: () => /^base_url = "(.*)"$/m.exec(read('.codex/config.toml'))[1],
  gemini: () => read('.gemini/settings.json') && process.env.GOOGLE_GEMINI_BASE_URL,
  opencode: () => JSON.parse(read('.config/opencode/opencode.json')).provider.bench.options.baseURL,
  qwen: () => read('.qwen/settings.json') && process.env.OPENAI_BASE_URL,
}
const key = Object.entries(process.env).find(([name]) => name.endsWith('_API_KEY'))[1]
const model = args[args.indexOf(cli === 'claude' ? '--model' : '-m') + 1].replace('bench/', '')
const messages = [{ role: 'user', content: prompt }]
const asked = {
  claude: ['/v1/messages', { model, messages }],
  codex: ['/responses', { model, input: messages, store: false }],
  gemini: [
    `/v1beta/models/${model}:generateContent`,
    { contents: [{ role: 'user', parts: [{ text: prompt }] }] },
  ],
  opencode: ['/chat/completions', { model, messages }],
  qwen: ['/chat/completions', { model, messages }],
}
const [path, body] = asked[cli]
const answer = await fetch(settings[cli]() + path, {
  method: 'POST',
  headers: { authorization: `Bearer ${key}`, 'x-api-key': key },
  body: JSON.stringify(body),
})
const order = /\[(write|hang|die)(?: (.*))?\]/.exec(prompt) ?? []
if (order[1] === 'write') writeFileSync('made.txt', order[2])
if (order[1] === 'hang') setInterval(() => {}, 1000)
if (order[1] === 'die') process.exit(3)
appendFileSync(join(home, 'memory.txt'), 'x')

const resumed = args.includes('--resume') || args.includes('--session') || args.includes('resume')
const calls = read('memory.txt').length
const said = JSON.stringify({
  prompt,
  args,
  key,
  status: answer.status,
  received: await answer.text().catch(() => 'a reply that broke off'),
  calls,
  resumed,
  env: Object.keys(process.env),
})
// As many calls as HOME remembers have 100 tokens in and 10 out each; where a CLI tells totals, these.
const total = resumed ? calls : 1
const print = {
  claude: () => ({
    type: 'result',
    result: said,
    session_id: 'session-1',
    total_cost_usd: 0.5 * total,
    usage: {
      input_tokens: 60,
      cache_read_input_tokens: 40,
      cache_creation_input_tokens: 0,
      output_tokens: 10,
    },
  }),
  gemini: () => ({
    session_id: 'session-1',
    response: said,
    stats: { models: { m: { tokens: { input: 60, cached: 40, candidates: 10, thoughts: 0 } } } },
  }),
  qwen: () => [
    {
      type: 'result',
      session_id: 'session-1',
      result: said,
      usage: { input_tokens: 100 * total, cache_read_input_tokens: 40 * total, output_tokens: 10 * total },
    },
  ],
  codex: () => [
    { type: 'thread.started', thread_id: 'session-1' },
    { type: 'item.completed', item: { type: 'agent_message', text: said } },
    {
      type: 'turn.completed',
      usage: { input_tokens: 100 * total, cached_input_tokens: 40 * total, output_tokens: 10 * total },
    },
  ],
  opencode: () => [
    { type: 'text', sessionID: 'session-1', part: { text: said } },
    {
      type: 'step_finish',
      sessionID: 'session-1',
      part: { tokens: { input: 60, output: 10, reasoning: 0, cache: { read: 40, write: 0 } }, cost: 0 },
    },
  ],
}
const printed = print[cli]()
console.log('A banner that nobody asked for {1}')
if (cli === 'codex' || cli === 'opencode') for (const event of printed) console.log(JSON.stringify(event))
else console.log(JSON.stringify(printed, null, 2))
