import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type BrowserContext, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { aRecord } from '../analysis/records.ts'
import { benchOk } from '../helpers/runs/cli.ts'
import { anAsk } from '../reports/figures/figure-samples.ts'
import { hostile, pageOf } from '../reports/html/page-sample.ts'

const folder = mkdtempSync(join(tmpdir(), 'bench-browser-'))
let browser: BrowserContext

/** The browser of this machine: chromium or Chrome on the PATH, or what `BENCH_CHROMIUM` names. */
function browserPath(): string {
  const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
  const places = (process.env.PATH ?? '')
    .split(delimiter)
    .flatMap((path) => names.map((name) => join(path, name)))
  const found = [process.env.BENCH_CHROMIUM, ...places].find((path) => path && existsSync(path))
  if (!found) throw new Error('no chromium: apt install chromium, or set BENCH_CHROMIUM to one')
  return found
}

beforeAll(async () => {
  browser = await chromium.launchPersistentContext(join(folder, 'profile'), {
    executablePath: browserPath(),
    headless: true,
    args: [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  })
})
afterAll(async () => {
  await browser?.close()
  rmSync(folder, { recursive: true, force: true })
})

/** Opens a file, and collects the errors of the page and its requests. */
async function open(file: string, hash = ''): Promise<{ page: Page; complaints: string[] }> {
  const page = await browser.newPage()
  const address = pathToFileURL(file).href
  const complaints: string[] = []
  page.on('console', (message) => complaints.push(`${message.type()}: ${message.text()}`))
  page.on('pageerror', (error) => complaints.push(String(error)))
  page.on('request', (request) => {
    if (request.url() !== address && request.url() !== address + hash)
      complaints.push(`asks for ${request.url()}`)
  })
  await page.goto(address + hash)
  return { page, complaints }
}

const write = (name: string, text: string) => {
  const file = join(folder, name)
  writeFileSync(file, text)
  return file
}
const column = (page: Page, table: string, place: number) =>
  page.locator(`${table} tbody tr > :nth-child(${place})`).allTextContents()

it('the page of a real run sorts tables, filters, and opens and closes a trial by mouse and by keyboard', async () => {
  const run = join(folder, 'run')
  await benchOk([
    '--tasks',
    'answers',
    '--methods',
    'baseline,sequential',
    '--epochs',
    '2',
    '--quiet',
    '--out',
    run,
  ])
  const file = join(folder, 'run.html')
  await benchOk(['report', run, '--format', 'html', '--out', file])
  const { page, complaints } = await open(file)

  const tokens = page.locator('#methods th button', { hasText: 'tokens' }).first()
  await tokens.click()
  expect(await column(page, '#methods table >> nth=0 >>', 1)).toEqual(['baseline', 'sequential'])
  expect(await page.locator('#methods th[aria-sort="ascending"]').count()).toBe(1)
  await tokens.focus()
  await page.keyboard.press('Enter')
  expect(await column(page, '#methods table >> nth=0 >>', 1)).toEqual(['sequential', 'baseline'])

  expect(await page.locator('#count').textContent()).toBe('32 trials')
  await page.selectOption('#filter-method', 'sequential')
  expect(await page.locator('#count').textContent()).toBe('16 trials, of 32 in all')
  expect(new Set(await column(page, '#trial-table', 2))).toEqual(new Set(['sequential']))
  await page.locator('#trial-table th button', { hasText: 'tokens' }).click()
  const spent = (await column(page, '#trial-table', 7)).map((text) => Number(text.replaceAll(',', '')))
  expect(spent).toHaveLength(16)
  expect(spent).toEqual([...spent].sort((a, b) => a - b))
  await page.locator('#filters button[type="reset"]').click()
  // The page's policy forbids evaluating text, in tests as well.
  await page.locator('#count', { hasText: /^32 trials$/ }).waitFor()

  const opener = page.locator('#trial-table button.open').first()
  await opener.focus()
  await page.keyboard.press('Enter')
  await page.waitForSelector('dialog[open]')
  const story = (await page.locator('#trial-story').textContent()) ?? ''
  for (const part of ['Instruction', 'prompt', 'reply', 'spent', 'Ended']) expect(story).toContain(part)
  const address = page.url()
  expect(address).toMatch(/#trial=[0-9a-f]{24}$/)
  await page.keyboard.press('Escape')
  await page.waitForSelector('dialog:not([open])', { state: 'attached' })
  expect(complaints).toEqual([])

  const again = await open(file, new URL(address).hash)
  expect(await again.page.locator('#trial-story').textContent()).toBe(story)
  expect(again.complaints).toEqual([])
})

it('the page shows hostile names and replies as text: nothing runs, and the policy has nothing to block', async () => {
  const records = hostile.flatMap((text, task) =>
    ['b', text].map((method) =>
      aRecord({ task: `s/${task}${text}`, method, trial: `${task}-${method === 'b' ? 0 : 1}`, suite: text }),
    ),
  )
  const steps = records.map(({ trial, suite }) => anAsk({ trial, role: suite, prompt: suite, reply: suite }))
  const { page, complaints } = await open(write('hostile.html', pageOf(records, steps)))
  for (let place = 0; place < records.length; place++) {
    await page.locator('#trial-table button.open').nth(place).click()
    await page.waitForSelector('dialog[open]')
    expect(await page.locator('#trial-story').textContent()).toContain(hostile[Math.floor(place / 2)])
    await page.locator('#trial-close').click()
  }
  expect(await page.evaluate('window.broken')).toBeUndefined()
  expect(complaints).toEqual([])
})

it('the page stays usable with five thousand trials', async () => {
  const records = Array.from({ length: 5000 }, (_, index) =>
    aRecord({
      trial: `t${index}`,
      task: `s/${index % 500}`,
      method: ['a', 'b'][Math.floor(index / 500) % 2] as string,
      epoch: 1 + Math.floor(index / 1000),
      passed: index % 3 === 0,
      spent: { input: 1000 + ((index * 7919) % 5000) },
    }),
  )
  const long = 'a line of a reply that goes on for a while\n'.repeat(60)
  const steps = records.flatMap(({ trial }) =>
    [0, 1, 2].map((key) => anAsk({ trial, key: `#${key}`, prompt: long, reply: long })),
  )
  const { page, complaints } = await open(write('large.html', pageOf(records, steps)))
  expect(await page.locator('#count').textContent()).toBe('The first 200 of 5,000 trials')
  expect(await page.locator('#trial-table tbody tr').count()).toBe(200)
  await page.locator('#trial-table th button', { hasText: 'tokens' }).click()
  const spent = (await column(page, '#trial-table', 7)).map((text) => Number(text.replaceAll(',', '')))
  const least = records.map((record) => record.spent.input + 20).sort((a, b) => a - b)
  expect(spent).toEqual(least.slice(0, 200))
  await page.selectOption('#filter-task', 's/77')
  expect(await page.locator('#count').textContent()).toBe('10 trials, of 5,000 in all')
  await page.locator('#trial-table button.open').last().click()
  await page.waitForSelector('dialog[open]')
  expect(await page.locator('#trial-story').textContent()).toContain('[... 44 lines left out]')
  await page.locator('#trial-close').click()
  await page.selectOption('#filter-task', '')
  await page.locator('#more').click()
  expect(await page.locator('#trial-table tbody tr').count()).toBe(1200)
  expect(complaints).toEqual([])
})
