#!/usr/bin/env node
// An agent CLI that nobody knows: it does what its prompt says in brackets, and prints banners around its JSON. Its answer
// holds what it was given, unless the prompt gives another answer.
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'

const args = process.argv.slice(2)
if (args[0] === '--version') {
  console.log('own 4.5.6')
  process.exit(0)
}
const home = process.env.HOME
const prompt = await text(process.stdin)
const orders = Object.fromEntries(
  [...prompt.matchAll(/\[(\w+)(?: ([^\]]*))?\]/g)].map(([, name, of]) => [name, of ?? '']),
)
const memory = join(home, 'memory.txt')
appendFileSync(memory, 'x')
const calls = readFileSync(memory, 'utf8').length
const settings = join(home, '.own/settings.json')

if ('write' in orders) writeFileSync('made.txt', orders.write)
const asked =
  'ask' in orders &&
  (await fetch(`${process.env.OWN_URL}/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${process.env.OWN_KEY}` },
    body: JSON.stringify({
      model: args.includes('--model') ? args[args.indexOf('--model') + 1] : 'm',
      messages: [{ role: 'user', content: prompt }],
    }),
  }))
const given = JSON.stringify({
  prompt,
  args,
  env: process.env,
  calls,
  settings: existsSync(settings) ? JSON.parse(readFileSync(settings, 'utf8')) : undefined,
  received: asked && (await asked.text()),
})
const answer = 'big' in orders ? 'word {"[ '.repeat(Number(orders.big) / 9) : given
const total = args.includes('--continue') ? calls : 1
const usage = { in: 100 * total, hit: 40 * total, out: 10 * total, thought: 3 * total }
process.stdout.write('** Update available! {1.0 -> 2.0} **\n')
process.stderr.write('warning: [deprecated] something\n')
if ('mutter' in orders) process.stderr.write(`${orders.mutter}\n`)
if (!('silent' in orders)) {
  const reply = {
    ...(!('empty' in orders) && { answer }),
    ...('fail' in orders && { problem: { message: orders.fail, code: 429 } }),
    id: 'session-7',
    ...(!('unreported' in orders) && { usage, dollars: 0.25 * total }),
  }
  process.stdout.write(`${JSON.stringify(reply, null, 2)}\nBye [ok] {}.\n`)
}
process.exitCode = Number(orders.exit ?? 0)
if ('die' in orders) process.kill(process.pid, 'SIGKILL')
