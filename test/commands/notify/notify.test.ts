import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { failureNotification, notify } from '../../../src/commands/notify/notifier.ts'
import { readNotifyTarget } from '../../../src/commands/notify/target.ts'
import { Notification } from '../../../src/schema/run/notification.ts'
import { createRedactor } from '../../../src/text/redact.ts'
import { tableOf } from '../../helpers/house/tables.ts'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { soon } from '../../helpers/runs/cli.ts'
import { startHookServer } from '../../helpers/servers/hook-server.ts'
import { startRecordingServer } from '../../helpers/servers/recording-server.ts'

const sent = failureNotification('results/r1', 'the disk is full')

/** Tells a target, as typed after --notify. */
async function tell(target: string, options: Partial<Parameters<typeof notify>[2]> = {}) {
  const read = readNotifyTarget({ notify: target })
  if (!read) throw new Error('no target was read')
  const rest = { redact: undefined, secrets: [], signal: new AbortController().signal }
  return notify(read, sent, {
    folder: 'results/r1',
    ...rest,
    requestMs: 5000,
    retryAfterMs: 10,
    commandMs: 2000,
    ...options,
  })
}

/** Writes a program of Node that the command runs. */
function program(code: string): { command: string; folder: string } {
  const folder = tempFolder()
  const file = join(folder, 'told.mjs')
  writeFileSync(
    file,
    `import { writeFileSync } from 'node:fs'\nimport { text } from 'node:stream/consumers'\n${code}`,
  )
  return { command: `'${process.execPath}' '${file}' '${folder}/out'`, folder }
}

describe('an address', () => {
  it('gets the notification as JSON, which its schema holds', async () => {
    const { url, calls } = await startHookServer()
    expect(await tell(`${url}/hook?a=1`)).toBeUndefined()
    expect(calls).toMatchObject([
      { method: 'POST', path: '/hook?a=1', headers: { 'content-type': 'application/json' } },
    ])
    expect(Notification.parse(JSON.parse(calls[0]?.body ?? ''))).toEqual(sent)
  })

  it('with user and password gets them as a header, and no message shows them', async () => {
    const { url, calls } = await startHookServer((response) => void response.writeHead(403).end())
    const problem = await tell(`${url.replace('//', '//us%40er:pa%3Ass@')}/secret-path`)
    expect(problem).toBe(`--notify: ${url} answered with status 403`)
    expect(calls[0]?.headers.authorization).toBe(`Basic ${Buffer.from('us@er:pa:ss').toString('base64')}`)
  })

  it.each([
    [404, 1, 'answered with status 404'],
    [500, 2, 'answered with status 500, also the second time'],
    [429, 2, 'answered with status 429, also the second time'],
  ])('that answers with status %i is asked %i times', async (status, times, problem) => {
    const { url, calls } = await startHookServer((response) => void response.writeHead(status).end())
    expect(await tell(url)).toBe(`--notify: ${url} ${problem}`)
    expect(calls).toHaveLength(times)
  })

  it('that works at the second attempt is told once', async () => {
    const { url, calls } = await startHookServer((response, call) => {
      if (call === 1) response.destroy()
      else response.end()
    })
    expect(await tell(url)).toBeUndefined()
    expect(calls).toHaveLength(2)
  })

  it('that hangs is given up after its time, twice', async () => {
    const { url, calls } = await startHookServer(() => {})
    expect(await tell(url, { requestMs: 300 })).toBe(
      `--notify: ${url} gave no answer in 0.3 s, also the second time`,
    )
    expect(calls).toHaveLength(2)
  })

  it('that answers without an end has accepted it', async () => {
    const { url } = await startHookServer((response) => {
      response.writeHead(200)
      const drip = setInterval(() => response.write('x'.repeat(10_000)), 5)
      response.on('close', () => clearInterval(drip))
    })
    expect(await tell(url)).toBeUndefined()
  })

  it('that is slow is waited for', async () => {
    const { url } = await startHookServer((response) => void setTimeout(() => response.end(), 200))
    expect(await tell(url)).toBeUndefined()
  })

  it('that nobody serves cannot be reached', async () => {
    const { url, close } = await startRecordingServer()
    close()
    expect(await tell(url)).toBe(`--notify: ${url} cannot be reached (ECONNREFUSED), also the second time`)
    expect(await tell('http://127.0.0.1:1')).toMatch(/cannot be reached \(bad port\)/)
  })

  it.each([301, 302, 307, 308])(
    'that redirects to another server with status %i is not followed',
    async (status) => {
      const other = await startHookServer()
      const { url, calls } = await startHookServer(
        (response) => void response.writeHead(status, { location: `${other.url}/token` }).end(),
      )
      expect(await tell(url)).toMatch(/redirects elsewhere \(status 30\d\), which bench does not follow/)
      expect([calls.length, other.calls.length]).toEqual([1, 0])
    },
  )

  it('that redirects within its server gets the same request there', async () => {
    const { url, calls } = await startHookServer((response, call) => {
      if (call === 1) response.writeHead(307, { location: '/moved' }).end()
      else response.end()
    })
    expect(await tell(url)).toBeUndefined()
    expect(calls[1]).toMatchObject({ method: 'POST', path: '/moved', body: calls[0]?.body })
  })

  it('gets no secret', async () => {
    const { url, calls } = await startHookServer()
    const redact = createRedactor([{ name: 'SOME_KEY', value: 'the disk is full' }])
    expect(await tell(url, { redact })).toBeUndefined()
    expect(calls[0]?.body).not.toContain('the disk is full')
    expect(JSON.parse(calls[0]?.body ?? '')).toMatchObject({ status: 'failed' })
  })
})

describe('a command', () => {
  it('gets the notification on stdin, the run folder, and no key', async () => {
    process.env.NOTIFY_TEST_API_KEY = 'sk-notify-test-0123456789'
    process.env.NOTIFY_TEST_HOST = 'an-inner-host'
    onTestFinished(() => {
      delete process.env.NOTIFY_TEST_API_KEY
      delete process.env.NOTIFY_TEST_HOST
    })
    const { command, folder } = program(`
      const { BENCH_RUN, NOTIFY_TEST_API_KEY, NOTIFY_TEST_HOST, PATH } = process.env
      const told = JSON.parse(await text(process.stdin))
      writeFileSync(process.argv[2], JSON.stringify({ told, BENCH_RUN, NOTIFY_TEST_API_KEY, NOTIFY_TEST_HOST, path: PATH !== undefined }))
    `)
    expect(await tell(command, { secrets: ['NOTIFY_TEST_HOST'] })).toBeUndefined()
    expect(JSON.parse(readFileSync(join(folder, 'out'), 'utf8'))).toEqual({
      ...{ told: sent, BENCH_RUN: 'results/r1', path: true },
    })
  })

  it('that fails is named with the last line of its errors', async () => {
    const { command } = program(`console.log('a'); console.error('one\\ntwo'); process.exitCode = 3`)
    expect(await tell(command)).toBe(`--notify: ${process.execPath} ended with exit code 3: two`)
  })

  it('that does not read its input, however much it prints, does no harm', async () => {
    const { command } = program(`for (let i = 0; i < 200; i++) process.stderr.write('x'.repeat(10_000))`)
    expect(await tell(command, { commandMs: 20_000 })).toBeUndefined()
  })

  it('that hangs is ended after its time, with the processes that it started', async () => {
    const { command, folder } = program(`
      import { spawn } from 'node:child_process'
      process.on('SIGTERM', () => {})
      const code = "setInterval(() => require('node:fs').writeFileSync(process.argv[1], String(Date.now())), 20)"
      const child = spawn(process.execPath, ['-e', code, process.argv[2]], { detached: true, stdio: ['ignore', 'ignore', 2] })
      setInterval(() => {}, 1000)
    `)
    expect(await tell(command)).toBe(`--notify: ${process.execPath} was ended after 2 s`)
    await expectSilence(join(folder, 'out'))
  })

  it('leaves nothing behind when it has ended by itself', async () => {
    const { command, folder } = program(`
      import { spawn } from 'node:child_process'
      const code = "setInterval(() => require('node:fs').writeFileSync(process.argv[1], String(Date.now())), 20)"
      spawn(process.execPath, ['-e', code, process.argv[2]], { detached: true, stdio: ['ignore', 'ignore', 2] }).unref()
      const { existsSync } = await import('node:fs')
      while (!existsSync(process.argv[2])) await new Promise((resolve) => setTimeout(resolve, 5))
    `)
    expect(await tell(command, { commandMs: 20_000 })).toBeUndefined()
    await expectSilence(join(folder, 'out'))
  })

  it('is ended when the user stops bench', async () => {
    const stop = new AbortController()
    const { command } = program(`setInterval(() => {}, 1000)`)
    setTimeout(() => stop.abort(), 100)
    const problem = await tell(command, { signal: stop.signal, commandMs: 60_000 })
    expect(problem).toBe(`--notify: ${process.execPath} was ended, because you stopped bench`)
  })

  it('that cannot be started is named', async () => {
    const file = join(tempFolder(), 'told.sh')
    writeFileSync(file, '#!/no/such/program\n', { mode: 0o755 })
    expect(await tell(file)).toMatch(/^--notify: \S+told\.sh cannot be started \(\w+\)$/)
  })
})

/** Checks that nothing writes the file any more. */
async function expectSilence(file: string): Promise<void> {
  const last = existsSync(file) && readFileSync(file, 'utf8')
  await soon(150)
  expect(existsSync(file) && readFileSync(file, 'utf8')).toBe(last)
}

describe('a target', () => {
  it.each(tableOf<string[]>(import.meta.url, 'refused'))('%j is refused', (target) => {
    expect(() => readNotifyTarget({ notify: target })).toThrowErrorMatchingSnapshot()
    expect(() => readNotifyTarget({ notify: target })).not.toThrow('word')
  })

  it('may be nobody', () => {
    expect(readNotifyTarget({})).toBeUndefined()
    expect(readNotifyTarget({ notify: 'none', config: 'none.yaml' })).toBeUndefined()
  })
})
