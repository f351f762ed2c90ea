import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { richRun } from '../helpers/exports/rich-run.ts'
import { tempFolder } from '../helpers/machine/temp.ts'
import { argv } from '../helpers/runs/argv.ts'
import { startBench, until, wholeLines } from '../helpers/runs/cli.ts'
import { record } from '../helpers/runs/run-files.ts'
import { startBrowser } from '../helpers/servers/browser.ts'
import { viewerOf } from '../helpers/servers/viewer.ts'

const folder = mkdtempSync(join(tmpdir(), 'bench-browser-'))
let browser: BrowserContext
beforeAll(async () => {
  browser = await startBrowser(join(folder, 'profile'))
})
afterAll(async () => {
  await browser?.close()
  rmSync(folder, { recursive: true, force: true })
})

/** Opens a page of a server by its printed address, and collects what the browser complains about. */
async function open(address: string, path: string): Promise<{ page: Page; complaints: string[] }> {
  const page = await browser.newPage()
  onTestFinished(() => page.close())
  const complaints: string[] = []
  const { origin } = new URL(address)
  page.on('console', (message) => complaints.push(`${message.type()}: ${message.text()}`))
  page.on('pageerror', (error) => complaints.push(String(error)))
  page.on('request', (request) => {
    if (!request.url().startsWith(`${origin}/`) && !request.url().startsWith('data:'))
      complaints.push(`asks for ${request.url()}`)
  })
  await page.goto(address)
  await page.goto(origin + path)
  return { page, complaints }
}

/** An agent that answers a dozen questions, and the others once there is a file `go` beside it. */
const waiting = `import { existsSync } from 'node:fs'
let calls = 0
export default async () => {
  calls++
  const soon = () => new Promise((resolve) => setTimeout(resolve, 30))
  do await soon()
  while (calls > 12 && !existsSync(new URL('go', import.meta.url)))
  return { text: 'Answer: 418', tokens: { input: 9, output: 5, cached: 0 }, costUsd: 0.001, durationMs: 30 }
}
`

it('a page follows a real run through a kill and a resume: every record has its mark, once, without loading again', async () => {
  const cwd = tempFolder()
  writeFileSync(join(cwd, 'waiting.mjs'), waiting)
  const run = join(cwd, 'results/run')
  const records = () => wholeLines(join(run, 'records.jsonl'))
  const plan = argv`--tasks answers --methods A=baseline,B=baseline --epochs 4 --parallel 2 --quiet`
  const first = startBench(
    [...plan, ...argv`--agents scripted:./waiting.mjs --mode live --max-cost 5 --out ${run}`],
    { cwd },
  )
  await until(() => records().length >= 5)
  const viewer = await viewerOf(dirname(run))
  const { page, complaints } = await open(viewer.address, '/runs/run')
  await page.evaluate('window.sameDocument = true')
  expect(await page.locator('#state').textContent()).toBe('running')
  first.kill('SIGKILL')
  await first.ended
  writeFileSync(join(cwd, 'go'), '')
  await page.locator('#state', { hasText: 'interrupted' }).waitFor()
  const resumed = startBench([...argv`run --resume ${run} --quiet --max-cost 5`], { cwd })
  expect(await resumed.ended).toMatchObject({ code: 0 })
  await page.locator('#state', { hasText: 'whole' }).waitFor()
  await page.locator('#progress', { hasText: '64 of 64 trials' }).waitFor()
  const shown = await page.locator('#grid tbody a[href]').evaluateAll((links) =>
    // biome-ignore lint/suspicious/noExplicitAny: an element of the browser
    links.map((link: any) => link.getAttribute('href').split('/').at(-1)),
  )
  const recorded = records().map((line) => (JSON.parse(line) as { trial: string }).trial)
  expect([...shown].sort()).toEqual([...recorded].sort())
  expect(new Set(shown).size).toBe(64)
  expect(await page.evaluate('window.sameDocument')).toBe(true)
  expect(await page.locator('#changed').isVisible()).toBe(true)
  expect(complaints).toEqual([])
})

const methods = Array.from(
  { length: 20 },
  (_, at) => `method-with-a-long-name-${at}[match=another,parallel=${at}]`,
)
const tasks = Array.from({ length: 30 }, (_, at) => `suite/task-of-a-suite-${at}`)
const runOfTwenty = () =>
  richRun(
    {
      tasks: tasks.map((ref) => ({ ref, digest: 'd' })),
      methods: methods.map((label) => ({ label, strategy: 'baseline', options: {}, digest: 'e5' })),
      ...{ epochs: 1, trials: 600, baseline: methods[0] ?? null },
    },
    {
      recorded: tasks.flatMap((task, t) =>
        methods.map((method, m) => ({
          ...record(`${t}-${m}-0000`),
          ...{ task, method, suite: 'suite', passed: (t * 7 + m * 3) % 5 > 1, answer: `answer ${t} of ${m}` },
        })),
      ),
      steps: [],
    },
  )

it('a run of 20 methods fits windows from 400 to 1920 pixels: only tables and figures scroll sideways', async () => {
  const { address } = await viewerOf(dirname(await runOfTwenty()))
  for (const path of ['/', '/runs/run', '/runs/run/trials/0-0-0000']) {
    const { page, complaints } = await open(address, path)
    for (const width of [400, 800, 1280, 1920]) {
      await page.setViewportSize({ width, height: 900 })
      expect(
        await page.evaluate('document.documentElement.scrollWidth'),
        `${path} ${width}`,
      ).toBeLessThanOrEqual(width)
    }
    expect(complaints).toEqual([])
  }
})

it('on a wide screen a trial opens beside the grid; keys lead on and back, and the address can be sent', async () => {
  const { address } = await viewerOf(dirname(await runOfTwenty()))
  const { page, complaints } = await open(address, '/runs/run?task=suite-1')
  await page.setViewportSize({ width: 1600, height: 900 })
  const mark = page.locator('#grid tbody a[href]').first()
  await mark.focus()
  await page.keyboard.press('Enter')
  const heading = page.locator('#beside h2')
  await heading.waitFor()
  expect(await heading.textContent()).toContain('method-with-a-long-name-0')
  expect(page.url()).toMatch(/\/runs\/run\/trials\/1-0-0000\?task=suite-1$/)
  await page.keyboard.press('j')
  await page.locator('#beside h2', { hasText: 'long-name-1[' }).waitFor()
  await page.keyboard.press('k')
  await page.locator('#beside h2', { hasText: 'long-name-0[' }).waitFor()
  const sent = await open(address, new URL(page.url()).pathname)
  expect(await sent.page.locator('#trial-view h2').textContent()).toBe(await heading.textContent())
  await page.keyboard.press('u')
  expect(await page.locator('#beside').isVisible()).toBe(false)
  expect(page.url()).toMatch(/\/runs\/run\?task=suite-1$/)
  await page.keyboard.press('/')
  expect(await page.evaluate('document.activeElement.name')).toBe('q')
  await page.keyboard.type('answer 13 of 4')
  await page.keyboard.press('Enter')
  await page.waitForURL(/q=answer/)
  expect(await page.locator('#grid tbody th').allTextContents()).toEqual(['suite/task-of-a-suite-13'])
  expect([...complaints, ...sent.complaints]).toEqual([])
})

it('who opened no printed address sees nothing, and peek is a look that stays in the run', async () => {
  const recorded = ['baseline', 'other[n=2]'].map((method) => ({ ...record(method), method }))
  const run = richRun({ trials: 40 }, { recorded, steps: [] })
  const viewer = await viewerOf(dirname(run), { control: true })
  expect((await viewer.send({ path: '/runs/run' })).status).toBe(401)
  const { page, complaints } = await open(viewer.address, '/runs/run')
  expect(await page.locator('#answer').textContent()).toContain('shut until the run is whole')
  await page.locator('button', { hasText: 'Peek' }).click()
  await page.locator('#method-table').waitFor()
  expect(readFileSync(join(run, 'looks.jsonl'), 'utf8')).toContain('"command":"bench view"')
  expect(complaints).toEqual([])
})
