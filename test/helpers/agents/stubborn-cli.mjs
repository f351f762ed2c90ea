#!/usr/bin/env node
// An agent CLI that does not end. It changes a file of its workspace and one in HOME all the time, and so does a grandchild, which
// is in a session of its own and ignores SIGTERM. Each also writes to a file beside this program, where a test can see that it lives.
import { spawn } from 'node:child_process'
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'

const [, self = '', who = 'child'] = process.argv
if (who === 'child') {
  const prompt = await text(process.stdin)
  if (prompt.includes('[quick]')) {
    writeFileSync('made.txt', 'in time\n')
    console.log(JSON.stringify({ answer: 'done', id: 'session-1' }))
    process.exit(0)
  }
  spawn(process.execPath, [self, 'grandchild'], { detached: true, stdio: 'ignore' }).unref()
}
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => {})
const half = `${'half a line of work '.repeat(1000)}`
for (let count = 1; ; count++) {
  for (const path of ['made.txt', `late-${who}.txt`, join(process.env.HOME, 'late.txt')])
    try {
      writeFileSync(path, half.slice(0, count % half.length))
    } catch {}
  try {
    appendFileSync(join(dirname(self), `alive-${who}`), 'x')
  } catch {}
  if (who === 'child' && count === 1) console.log(readFileSync('made.txt', 'utf8').slice(0, 10))
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5)
}
