// Measures the page of bench view: how long a person looks at nothing, beside a static page of the same bytes, and what the server keeps.
// A run of 10,000 trials, and a folder of 500 runs. Needs chromium.
import { cpSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { execa } from 'execa'
import { chromium } from 'playwright-core'
import { bench, inTurn, temporaryFolder } from './measure.mjs'
import { makeRow } from './row.mjs'
import { runTrials } from './simulated-run.mjs'

const methods = ['A=baseline', 'B=baseline', 'C=baseline', 'D=baseline']

export async function view(rounds) {
  const [one, many] = [temporaryFolder(), temporaryFolder()]
  await runTrials({ tasks: 500, methods, epochs: 5, out: join(one, 'run') })
  const small = join(temporaryFolder(), 'run')
  await runTrials({ tasks: 5, methods, epochs: 1, out: small })
  for (let at = 0; at < 500; at++) cpSync(small, join(many, `run-${at}`), { recursive: true })
  const executablePath = process.env.BENCH_CHROMIUM ?? '/usr/bin/chromium'
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] })
  try {
    return [
      ...(await rowsOf(browser, rounds, one, '/runs/run', 'a run of 10,000 trials')),
      ...(await rowsOf(browser, rounds, many, '/', 'a list of 500 runs')),
    ]
  } finally {
    await browser.close()
  }
}

async function rowsOf(browser, rounds, root, path, what) {
  const server = await startView(root)
  const page = await (await browser.newContext()).newPage()
  const plain = await (await browser.newContext()).newPage()
  const fixed = createServer()
  try {
    await page.goto(server.address)
    const { origin } = new URL(server.address)
    const loadStart = performance.now()
    const html = await (await page.goto(origin + path)).text()
    const firstMs = performance.now() - loadStart
    fixed.on('request', (_, answer) => answer.setHeader('content-type', 'text/html').end(html))
    await new Promise((resolve) => fixed.listen(0, '127.0.0.1', resolve))
    const still = `http://127.0.0.1:${fixed.address().port}/`
    const { ours, theirs } = await inTurn(rounds, {
      ours: () => paint(page, origin + path),
      theirs: () => paint(plain, still),
    })
    process.stderr.write(`${what}: ${html.length} bytes, the first answer took ${Math.round(firstMs)} ms\n`)
    return [
      makeRow(`first paint of ${what}`, 'ms', ours, 'a static page', theirs, { atMost: 2 }),
      makeRow(`server memory, ${what}`, 'MiB', [server.peakMiB()], 'the limit', [200], { ownAtMost: 200 }),
    ]
  } finally {
    server.end()
    fixed.close()
    await page.context().close()
    await plain.context().close()
  }
}

/** Milliseconds from the request to the first paint with content. */
async function paint(page, address) {
  await page.goto(address, { waitUntil: 'load' })
  const entry = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime"
  await page.waitForFunction(`${entry} > 0`)
  return page.evaluate(entry)
}

async function startView(root) {
  const child = execa(process.execPath, [bench, 'view', root, '--no-open'], { reject: false })
  const address = await new Promise((resolve, reject) => {
    child.stdout.once('data', (text) => resolve(String(text).trim()))
    child.then(({ stderr }) => reject(new Error(stderr.slice(-500))))
  })
  const peakMiB = () => {
    const [, kib] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8')) ?? []
    return Number(kib) / 1024
  }
  return { address, peakMiB, end: () => child.kill('SIGKILL') }
}
