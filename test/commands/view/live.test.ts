import { appendFileSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { dirname, join } from 'node:path'
import { parseHTML } from 'linkedom'
import { expect, it, onTestFinished } from 'vitest'
import { richRun } from '../../helpers/exports/rich-run.ts'
import { soon } from '../../helpers/runs/cli.ts'
import { record } from '../../helpers/runs/run-files.ts'
import { type TestViewer, viewerOf } from '../../helpers/servers/viewer.ts'

interface Event {
  event: string
  id: string
  data: unknown
}

/** Follows a run as its page does, and keeps what it is told. */
function follow({ port, token }: TestViewer, path: string, headers: Record<string, string> = {}) {
  const events: Event[] = []
  let rest = ''
  const cookie = { cookie: `bench-${port}=${token}`, host: `127.0.0.1:${port}` }
  const sent = request({ host: '127.0.0.1', port, path, headers: { ...cookie, ...headers } }, (answer) => {
    answer.setEncoding('utf8')
    answer.on('data', (chunk: string) => {
      const parts = `${rest}${chunk}`.split('\n\n')
      rest = parts.pop() ?? ''
      for (const part of parts) {
        const field = (name: string) => new RegExp(`^${name}: ?(.*)$`, 'm').exec(part)?.[1] ?? ''
        events.push({ event: field('event'), id: field('id'), data: JSON.parse(field('data')) })
      }
    })
  })
  sent.on('error', () => {})
  sent.end()
  onTestFinished(() => void sent.destroy())
  const trials = () =>
    events
      .filter(({ event }) => event === 'trial')
      .map(({ data }) => data as { mark: string; href: string | null })
  return {
    events,
    trials,
    end: () => sent.destroy(),
    async until(holds: () => boolean) {
      while (!holds()) await soon()
    },
  }
}

const line = (trial: string, epoch: number, passed = true) =>
  `${JSON.stringify({ ...record(trial), epoch, passed })}\n`

/** A run of one method with one record, and the address that its page follows. */
async function runAndPage(trials = 4) {
  const run = richRun(
    { trials, epochs: 4, methods: [{ label: 'baseline', strategy: 'baseline', options: {}, digest: 'e5' }] },
    { recorded: [], steps: [] },
  )
  const records = join(run, 'records.jsonl')
  writeFileSync(records, line('a', 1))
  const viewer = await viewerOf(dirname(run))
  const { document } = parseHTML((await viewer.get('/runs/run')).text)
  const { events } = JSON.parse(document.querySelector('#follows')?.textContent ?? '') as { events: string }
  return { run, records, viewer, events, document }
}

it('a page is told each trial that came after it was sent, once, in the place that it has on the page', async () => {
  const { records, viewer, events, document } = await runAndPage()
  const stream = follow(viewer, events)
  await stream.until(() => stream.events.some(({ event }) => event === 'progress'))
  expect(stream.trials()).toEqual([])
  appendFileSync(records, line('b', 2, false).slice(0, 90))
  await soon(1200)
  expect(stream.trials()).toEqual([])
  appendFileSync(records, line('b', 2, false).slice(90) + line('c', 3))
  await stream.until(() => stream.trials().length === 2)
  expect(stream.trials()).toEqual([
    { place: 'p-0-0-2', mark: 'not passed', text: 'epoch 2: not passed', href: '/runs/run/trials/b' },
    { place: 'p-0-0-3', mark: 'passed', text: 'epoch 3: passed', href: '/runs/run/trials/c' },
  ])
  expect(document.querySelector('#p-0-0-2')?.getAttribute('data-result')).toBe('waiting')
  await stream.until(() => JSON.stringify(stream.events.at(-1)).includes('3 of 4 trials'))
})

it('records in another order, as at the end of a run, tell nothing twice; one that went is waiting again', async () => {
  const { records, viewer, events } = await runAndPage()
  appendFileSync(records, line('b', 2) + line('c', 3))
  const stream = follow(viewer, events)
  await stream.until(() => stream.trials().length === 2)
  const lines = readFileSync(records, 'utf8').trim().split('\n').reverse()
  writeFileSync(`${records}.new`, `${lines.join('\n')}\n`)
  renameSync(`${records}.new`, records)
  await soon(1300)
  expect(stream.trials()).toHaveLength(2)
  writeFileSync(`${records}.new`, `${lines.filter((one) => !one.includes('"trial":"b"')).join('\n')}\n`)
  renameSync(`${records}.new`, records)
  await stream.until(() => stream.trials().length === 3)
  expect(stream.trials()[2]).toEqual({
    place: 'p-0-0-2',
    mark: 'waiting',
    text: 'epoch 2: no record',
    href: null,
  })
})

it('a page whose connection broke gets what it missed, and of another server everything', async () => {
  const { records, viewer, events } = await runAndPage()
  const first = follow(viewer, events)
  await first.until(() => first.events.length > 0)
  const { id } = first.events.at(-1) as Event
  first.end()
  appendFileSync(records, line('b', 2))
  const again = follow(viewer, events, { 'last-event-id': id })
  await again.until(() => again.events.some(({ event }) => event === 'progress'))
  expect(again.trials().map(({ href }) => href)).toEqual(['/runs/run/trials/b'])
  const other = follow(viewer, '/runs/run/events?since=another.7')
  await other.until(() => other.events.some(({ event }) => event === 'progress'))
  expect(other.trials()).toHaveLength(2)
})

it('a run folder that is removed ends the stream with a sentence', async () => {
  const { run, viewer, events } = await runAndPage()
  const stream = follow(viewer, events)
  await stream.until(() => stream.events.length > 0)
  rmSync(run, { recursive: true })
  await stream.until(() => stream.events.at(-1)?.event === 'broken')
  expect(stream.events.at(-1)?.data).toEqual(['The run folder is gone.'])
})
