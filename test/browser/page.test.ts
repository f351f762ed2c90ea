import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { formatUsd } from '../../src/reports/words/numbers.ts'
import { digest, sha256 } from '../../src/text/canonical-json.ts'
import { aRecord } from '../analysis/records.ts'
import { argv } from '../helpers/runs/argv.ts'
import { benchOk } from '../helpers/runs/cli.ts'
import { startBrowser } from '../helpers/servers/browser.ts'
import { anAsk } from '../reports/figures/figure-samples.ts'
import { hostile, pageOf } from '../reports/html/page-sample.ts'

const folder = mkdtempSync(join(tmpdir(), 'bench-browser-'))
let browser: BrowserContext

beforeAll(async () => {
  browser = await startBrowser(join(folder, 'profile'))
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
  await benchOk(argv`--tasks answers --methods baseline,sequential --epochs 2 --quiet --out ${run}`)
  const file = join(folder, 'run.html')
  await benchOk(['report', run, '--format', 'html', '--out', file])
  const { page, complaints } = await open(file)

  const openAll = page.locator('#all-columns')
  const tokens = page.locator('#more-table th button', { hasText: 'tokens' }).first()
  expect(await page.locator('#method-table thead th:visible').count()).toBe(5)
  expect(await tokens.isVisible()).toBe(false)
  await openAll.focus()
  await page.keyboard.press('Enter')
  expect(await openAll.getAttribute('aria-expanded')).toBe('true')
  expect(await page.locator('#more-table thead th:visible').count()).toBeGreaterThan(7)
  await tokens.click()
  expect(await column(page, '#more-table', 1)).toEqual(['baseline', 'sequential'])
  expect(await page.locator('#more-table th[aria-sort="ascending"]').count()).toBe(1)
  await tokens.focus()
  await page.keyboard.press('Enter')
  expect(await column(page, '#more-table', 1)).toEqual(['sequential', 'baseline'])

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

  // Each cell of tasks and methods leads to its trials.
  expect(await page.locator('#grid tbody a[href]').count()).toBe(32)
  await page.locator('#grid tbody a[href]').nth(3).click()
  await page.waitForSelector('dialog[open]')
  expect(await page.locator('#trial-heading').textContent()).toMatch(/^answers\/[\w-]+, \w+, epoch 2$/)
  await page.keyboard.press('Escape')
  await page.locator('#grid th button', { hasText: 'apart' }).click()
  const apart = (await page.locator('#grid tbody td.right').allTextContents()).map(Number)
  expect(apart).toEqual([...apart].sort((a, b) => a - b))

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
  expect(await opener.evaluate('document.activeElement.className')).toBe('open')
  expect(complaints).toEqual([])

  // A link takes the beginning of an id.
  const again = await open(file, `#trial=${address.split('=')[1]?.slice(0, 12).toUpperCase()}`)
  expect(await again.page.locator('#trial-story').textContent()).toBe(story)
  expect(await again.page.locator('#trial-heading').evaluate('document.activeElement.id')).toBe(
    'trial-heading',
  )
  const place = again.page.locator('#trial-place')
  expect(await place.textContent()).toMatch(/^[✓✗] (not )?passed \d+ of 32$/)
  await again.page.locator('#trial-next').click()
  expect(await again.page.locator('#trial-story').textContent()).not.toBe(story)
  await again.page.keyboard.press('ArrowLeft')
  expect(await again.page.locator('#trial-story').textContent()).toBe(story)
  for (const [hash, message] of [
    ['#trial=zzz', 'No such trial: no id of this run begins with zzz.'],
    ['#trial=', 'The link names no trial.'],
    ['#pair=nosuch;baseline;sequential', 'No such task or method: nosuch.'],
  ] as const) {
    const lost = await open(file, hash)
    expect(await lost.page.locator('#no-trial').textContent()).toContain(message)
    expect(await lost.page.locator('dialog[open]').count()).toBe(0)
    expect(lost.complaints).toEqual([])
  }
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

it('the page shows one task under two methods: results with signs, verdicts, cost, and a diff of answers and files', async () => {
  const text = (word: string) => `one\ntwo\n${word}\n`
  const hash = (word: string) => sha256(text(word))
  const records = ['a', 'b'].flatMap((method) =>
    [1, 2].flatMap((epoch) => {
      const changed = { 'x.js': hash(method), ...(method === 'a' && { 'only.js': hash('new') }) }
      const own = { method, epoch, passed: epoch === 1 || method === 'a', spent: { costUsd: 0.14 } }
      return [
        {
          ...aRecord({ ...own, task: 's/answer', trial: `${method}${epoch}1` }),
          answer: text(`Answer: ${method}`),
        },
        aRecord({ ...own, task: 's/files', trial: `${method}${epoch}2`, delivered: digest(changed) }),
      ]
    }),
  )
  const change = (path: string, before: string | null, word: string) => ({
    ...{ path, mode: '100644', before, after: hash(word) },
  })
  const steps = records
    .filter(({ task }) => task === 's/files')
    .map(({ trial, method }) =>
      anAsk({
        trial,
        changeSet: {
          source: 'reply',
          changes: [
            ...(method === 'a' ? [change('only.js', null, 'new')] : []),
            change('x.js', hash('old'), method),
          ],
        },
      }),
    )
  const texts = new Map(['a', 'b', 'new', 'old'].map((word) => [hash(word), text(word)]))
  const { page, complaints } = await open(
    write(
      'pair.html',
      pageOf(records, steps, undefined, (wanted) => texts.get(wanted)),
    ),
  )
  // The first task and epoch in which one method passed and the other did not.
  expect(await page.locator('#pair-task').inputValue()).toBe('s/answer')
  expect(await page.locator('#pair-epochs [aria-pressed="true"]').textContent()).toBe('epoch 2 ✓✗')
  const result = page.locator('#pair-result')
  expect(await result.locator('tbody tr').allTextContents()).toEqual([
    expect.stringMatching(/^a✓ passed.*\$0\.140/),
    expect.stringMatching(/^b✗ not passed.*\$0\.140/),
  ])
  expect(await result.locator('.diff').textContent()).toBe('  one\n  two\n- Answer: a\n+ Answer: b\n')
  await page.selectOption('#pair-task', 's/files')
  expect(await result.locator('details summary').allTextContents()).toEqual([
    'only.js, changed by a alone',
    'x.js',
  ])
  expect(await result.locator('.diff').allTextContents()).toEqual([
    '- one\n- two\n- new\n',
    '  one\n  two\n- a\n+ b\n',
  ])
  expect(new URL(page.url()).hash).toBe('#pair=s%2Ffiles;a;b')
  await result.locator('a').first().click()
  await page.waitForSelector('dialog[open]')
  expect(await page.locator('#trial-heading').textContent()).toBe('s/files, a, epoch 2')
  expect(complaints).toEqual([])
})

it('the page formats dollars as the tables do', async () => {
  const values = [0, 0.14, 0.116, 1.5, 0.9951, 12345.678, 0.000123, 0.1, 2]
  const records = values.flatMap((costUsd, at) =>
    ['a', 'b'].map((method) =>
      aRecord({ method, task: `s/${at}`, trial: `${method}${at}`, spent: { costUsd } }),
    ),
  )
  const { page } = await open(write('dollars.html', pageOf(records)))
  await page.selectOption('#filter-method', 'a')
  expect(await column(page, '#trial-table', 8)).toEqual(values.map((value) => formatUsd(value)))
})

/** Returns the smallest letters that are shown, and the width of the page. As text, because its names are those of a browser. */
const smallestLetter = `(() => {
  const isShown = (one) => one.getClientRects().length > 0
  const sizeOf = (one) => Number.parseFloat(getComputedStyle(one).fontSize)
  const letters = [...document.querySelectorAll('svg text')].filter(isShown).map((one) => {
    const svg = one.closest('svg')
    return (sizeOf(one) * svg.getBoundingClientRect().width) / svg.viewBox.baseVal.width
  })
  const words = [...document.querySelectorAll('main *, header *')]
    .filter((one) => isShown(one) && !one.closest('svg') && one.textContent.trim())
    .map(sizeOf)
  return { letter: Math.min(...letters, ...words), page: document.documentElement.scrollWidth }
})()`

it('the page fits a telephone: nothing but tables and figures scrolls sideways, and no letter is below 10 pixels', async () => {
  const records = ['a-method-with-a-long-name[match=another,parallel=3]', 'b'].flatMap((method) =>
    Array.from({ length: 12 }, (_, task) =>
      aRecord({ method, task: `s/${task}`, trial: `${method[0]}${task}` }),
    ),
  )
  const steps = records.map(({ trial }) => anAsk({ trial }))
  const file = write('narrow.html', pageOf(records, steps))
  for (const width of [400, 800, 1280, 1600]) {
    const { page, complaints } = await open(file)
    await page.setViewportSize({ width, height: 800 })
    const sizes = (await page.evaluate(smallestLetter)) as { letter: number; page: number }
    expect(sizes.page).toBeLessThanOrEqual(width)
    expect(sizes.letter).toBeGreaterThanOrEqual(9.95)
    if (width >= 1280) {
      // Who wins, by how much and at what price stand on the first screen.
      for (const part of ['#verdict', '#figure-success-cost', '#method-table']) {
        const box = await page.locator(part).boundingBox()
        expect((box?.y ?? 0) + (box?.height ?? 0), part).toBeLessThanOrEqual(800)
      }
    }
    expect(complaints).toEqual([])
    await page.close()
  }
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
