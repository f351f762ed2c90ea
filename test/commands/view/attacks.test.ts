import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseHTML } from 'linkedom'
import { expect, it } from 'vitest'
import { richRun } from '../../helpers/exports/rich-run.ts'
import { tableOf } from '../../helpers/house/tables.ts'
import { record } from '../../helpers/runs/run-files.ts'
import { type RawRequest, viewerOf } from '../../helpers/servers/viewer.ts'
import { hostile } from '../../reports/html/page-sample.ts'

/** A folder with a run, a link to one, a run with a link, and a secret beside it. */
async function rootOfRuns(): Promise<string> {
  const run = richRun()
  const root = join(dirname(run), 'root')
  mkdirSync(join(root, '.hidden'), { recursive: true })
  writeFileSync(join(root, '.hidden/run.json'), '{}')
  cpSync(run, join(root, 'run'), { recursive: true })
  symlinkSync(run, join(root, 'linked'))
  mkdirSync(join(root, 'linkedRecords'))
  cpSync(join(run, 'run.json'), join(root, 'linkedRecords/run.json'))
  symlinkSync('/etc/passwd', join(root, 'linkedRecords/records.jsonl'))
  return root
}

type Attack = RawRequest & { person?: boolean; control?: boolean; status: number }

it.each(Object.entries(tableOf<Record<string, Attack>>(import.meta.url, 'refused')))(
  'refused: %s',
  async (_, { person, control, status, ...wanted }) => {
    const viewer = await viewerOf(await rootOfRuns(), { control: control === true })
    const words: Record<string, string> = {
      ...{ PORT: String(viewer.port), TOKEN: viewer.token, LONG: 'x'.repeat(5000) },
      ...{ MEGABYTE: `text=${'x'.repeat(1e6)}`, CONTROL: control ? await viewer.controlOf('/runs/run') : '' },
    }
    const filled = (text: string) =>
      text.replace(/PORT|TOKEN|LONG|MEGABYTE|CONTROL/g, (word) => words[word] ?? '')
    const headers = Object.entries({
      ...(person && { cookie: `bench-${viewer.port}=${viewer.token}` }),
      ...(wanted.body && { 'content-type': 'application/x-www-form-urlencoded' }),
      ...wanted.headers,
    }).map(([name, value]) => [name, filled(value)])
    const answer = await viewer.send({
      ...{ ...wanted, path: filled(wanted.path), headers: Object.fromEntries(headers) },
      ...(wanted.body && { body: filled(wanted.body) }),
    })
    expect(answer.status).toBe(status)
    expect(answer.text).not.toMatch(/root:|schemaVersion|2 of 2|Secret/)
    expect(answer.headers['access-control-allow-origin']).toBeUndefined()
    expect(answer.headers['set-cookie']).toBeUndefined()
  },
)

it('what is in the place of a file of a run is said in the list and on its page, and hides no other run', async () => {
  const root = await rootOfRuns()
  for (const [name, put] of Object.entries({
    folder: (path: string): void => void mkdirSync(path),
    pipe: (path: string): void => void execFileSync('mkfifo', [path]),
  })) {
    cpSync(join(root, 'run'), join(root, name), { recursive: true })
    rmSync(join(root, name, 'records.jsonl'))
    put(join(root, name, 'records.jsonl'))
  }
  const viewer = await viewerOf(root)
  const { status, text } = await viewer.get('/')
  expect(status).toBe(200)
  expect(text).toContain('href="/runs/run"')
  expect(text).toContain('linkedRecords/records.jsonl: is a link, which is not followed')
  for (const name of ['folder', 'pipe']) {
    expect(text).toContain(`${name}/records.jsonl: is not a file`)
    expect((await viewer.get(`/runs/${name}`)).text).toContain('records.jsonl: is not a file')
  }
})

it.each(hostile)('inert in tasks, labels, replies, answers, outputs and reasons: %s', async (text) => {
  const recorded = [
    {
      ...record('a'),
      ...{ task: `s/${text}`, suite: 's', method: text, answer: text, detail: text },
      ...{
        scores: [{ name: text, value: 0, reason: text }],
        outcome: { status: 'failed' as const, reason: text },
      },
    },
  ]
  const common = { trial: 'a', attempt: 1, payer: 'method', hash: 'a1'.repeat(32), at: 0, durationMs: 1 }
  const steps = [
    {
      ...{ ...common, key: '#0', kind: 'ask', role: text, work: 'produce', agent: text, simulated: false },
      ...{ system: text, prompt: text, reply: text, costUsd: 0, waitMs: 0 },
      tokens: { input: 1, output: 1, cached: 0 },
    },
    { ...common, key: '#1', kind: 'check', status: 'failed', passed: 0, total: 1, output: text },
  ]
  const run = richRun({}, { recorded, steps: steps as never })
  const viewer = await viewerOf(dirname(run))
  for (const path of [
    '/',
    '/history',
    '/runs/run',
    '/runs/run/trials/a',
    `/runs/run?q=${encodeURIComponent(text)}`,
    `/?q=${encodeURIComponent(text)}`,
  ]) {
    const answer = await viewer.get(path)
    expect(answer.status).toBe(200)
    // The only script is the one with the nonce of this answer.
    const nonce = /script-src 'nonce-([^']+)'/.exec(String(answer.headers['content-security-policy']))?.[1]
    const scripts = [...answer.text.matchAll(/<script\b[^>]*>/g)].map(([tag]) => tag)
    expect(scripts).toEqual([
      '<script type="application/json" id="follows">',
      `<script type="module" nonce="${nonce?.replace(/[&<>"']/g, (one) => `&#${one.charCodeAt(0)};`)}">`,
    ])
    const { document } = parseHTML(answer.text)
    expect(document.querySelectorAll('img, iframe, object, base, main script')).toHaveLength(0)
    const names = [...document.querySelectorAll('*')].flatMap((one) =>
      [...one.attributes].map(({ name }) => name),
    )
    expect(names.filter((name) => name.startsWith('on'))).toEqual([])
  }
})

it('each answer has its own nonce, allows nothing from elsewhere, and no frame around it', async () => {
  const viewer = await viewerOf(dirname(richRun()))
  const [one, other] = [await viewer.get('/runs/run'), await viewer.get('/runs/run')]
  const policy = String(one.headers['content-security-policy'])
  expect(policy).toMatch(/^default-src 'none'; script-src 'nonce-[\w+/=]{16,}'; /)
  expect(policy).toContain("frame-ancestors 'none'")
  expect(policy).toContain("form-action 'self'")
  expect(policy).not.toBe(other.headers['content-security-policy'])
  expect(one.headers).toMatchObject({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' })
})

it('the address with the token gives a cookie that no script and no other site gets, and leads to the same page', async () => {
  const { port, token, send } = await viewerOf(dirname(richRun()))
  const { status, headers } = await send({ path: `/runs/run?token=${token}&sort=apart` })
  expect(status).toBe(302)
  expect(headers.location).toBe('/runs/run?sort=apart')
  expect(headers['set-cookie']).toEqual([`bench-${port}=${token}; Path=/; HttpOnly; SameSite=Strict`])
  const away = await send({ path: `//evil.example?token=${token}` })
  expect(away.headers.location ?? '/').toMatch(/^\/(?!\/)/)
})

it('a second server on the port is refused, and says how to get one', async () => {
  const root = dirname(richRun())
  const { port } = await viewerOf(root)
  await expect(viewerOf(root, { port: String(port) })).rejects.toThrow(
    `[127.0.0.1:${port}] is in use by another program. Leave out --port, and a free one is taken.`,
  )
})

it('every address of the machine at once is refused: people could not be told from rebinding', async () => {
  for (const host of ['0.0.0.0', '::'])
    await expect(viewerOf('.', { host })).rejects.toThrow(`[--host ${host}] is every address of this machine`)
})
