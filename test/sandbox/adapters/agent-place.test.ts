import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { homedir, tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { packageRoot } from '../../../src/base/package-root.ts'
import type { OpenGateway } from '../../../src/sandbox/gateway.ts'
import { openSandbox, type Sandbox } from '../../../src/sandbox/open-sandbox.ts'
import { findToolchain, isInside } from '../../../src/sandbox/tools/toolchain.ts'
import { needs } from '../../helpers/house/needs.ts'

const folder = mkdtempSync(join(tmpdir(), 'agent-place-'))
const workspace = mkdtempSync(join(tmpdir(), 'agent-work-'))
const home = mkdtempSync(join(tmpdir(), 'agent-home-'))
const secret = join(folder, 'other-trial.txt')
const asked: string[] = []
const neighbour = createServer((_, response) => response.end('a neighbour'))
let sandbox: Sandbox
let gateway: OpenGateway

/** Returns the entries of the home folder, except those that lead to Node and Python. */
const homes = (shown: readonly string[]) =>
  readdirSync(homedir())
    .map((name) => join(homedir(), name))
    .filter((path) => !shown.some((folder) => isInside(folder, path)) && readable(path))
const readable = (path: string) => statSync(path).isFile() || readdirSync(path).length > 0

/** Runs an agent's program that prints JSON. */
async function inside(script: string, ...args: string[]): Promise<Record<string, unknown>> {
  writeFileSync(join(workspace, 'agent.mjs'), script)
  const { stdout, stderr } = await sandbox.run({
    files: {},
    command: ['node', 'agent.mjs', ...args],
    place: { workspace, home, gateway },
    timeoutMs: 30_000,
  })
  expect(stderr).toBe('')
  return JSON.parse(stdout)
}

needs('bwrap').describe('an agent in the sandbox', () => {
  beforeAll(async () => {
    writeFileSync(join(workspace, 'task.txt'), 'to do')
    writeFileSync(secret, 'of another trial')
    await new Promise<void>((resolve) => neighbour.listen(0, '127.0.0.1', resolve))
    sandbox = await openSandbox('bubblewrap')
    gateway = await sandbox.openGateway((request, response) => {
      asked.push(`${request.method} ${request.url}`)
      response.end('from the provider')
    })
  })
  afterAll(async () => {
    await gateway?.close()
    neighbour.close()
    for (const path of [folder, workspace, home]) rmSync(path, { recursive: true, force: true })
  })

  it('reads and writes its workspace and its HOME, which persist', async () => {
    const script = `
      import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
      import { homedir } from 'node:os'
      const before = existsSync(homedir() + '/memory')
      appendFileSync(homedir() + '/memory', 'x')
      writeFileSync('done.txt', readFileSync('task.txt', 'utf8') + ', done')
      console.log(JSON.stringify({ before, cwd: process.cwd() }))`
    expect(await inside(script)).toEqual({ before: false, cwd: '/workspace' })
    expect(await inside(script)).toEqual({ before: true, cwd: '/workspace' })
    expect(readFileSync(join(workspace, 'done.txt'), 'utf8')).toBe('to do, done')
    expect(readFileSync(join(home, 'memory'), 'utf8')).toBe('xx')
  })

  it('reaches its gateway, and no other address', async () => {
    const { port } = neighbour.address() as AddressInfo
    const script = `
      const reply = await (await fetch(process.argv[2] + '/v1/ask', { method: 'POST', body: 'hello' })).text()
      const reached = async (url) => fetch(url, { signal: AbortSignal.timeout(5000) }).then(() => true, () => false)
      console.log(JSON.stringify({
        reply,
        neighbour: await reached('http://127.0.0.1:' + process.argv[3]),
        outside: await reached('http://1.1.1.1'),
      }))`
    const found = await inside(script, gateway.url, String(port))
    expect(found).toEqual({ reply: 'from the provider', neighbour: false, outside: false })
    expect(asked).toContain('POST /v1/ask')
  })

  it('runs a program that is installed below /tmp, and sees nothing else of /tmp', async () => {
    const installed = mkdtempSync('/tmp/agent-installed-')
    try {
      mkdirSync(join(installed, 'bin'))
      const program = join(installed, 'bin/agent')
      writeFileSync(program, '#!/bin/sh\nls /tmp; touch /tmp/scratch && echo writable', { mode: 0o755 })
      for (const path of [installed, join(installed, 'bin')]) chmodSync(path, 0o755)
      const place = { workspace, home, gateway }
      const { stdout, stderr } = await sandbox.run({
        files: {},
        command: [program],
        place,
        timeoutMs: 30_000,
      })
      expect([stdout, stderr]).toEqual([`${basename(installed)}\nwritable\n`, ''])
    } finally {
      rmSync(installed, { recursive: true })
    }
  })

  it("does not see the checkout, the tasks, other trials, homes, or the harness's environment", async () => {
    const places = [
      packageRoot(),
      join(packageRoot(), 'tasks'),
      secret,
      folder,
      ...homes((await findToolchain()).folders),
    ]
    for (const place of places) expect(existsSync(place), place).toBe(true)
    process.env.PLANTED_KEY = 'planted-value-of-a-key'
    const script = `
      import { existsSync, readdirSync, readFileSync } from 'node:fs'
      const seen = process.argv.slice(2).filter((place) => {
        try { return existsSync(place) && readdirSync(place).length > 0 } catch { return existsSync(place) }
      })
      const environments = readdirSync('/proc').filter(Number).map((pid) => {
        try { return readFileSync('/proc/' + pid + '/environ', 'utf8') } catch { return '' }
      })
      console.log(JSON.stringify({ seen, leak: environments.join().includes('planted-value') }))`
    expect(await inside(script, ...places)).toEqual({ seen: [], leak: false })
    delete process.env.PLANTED_KEY
  })
})
