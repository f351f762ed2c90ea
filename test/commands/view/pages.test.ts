import { appendFileSync, cpSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseHTML } from 'linkedom'
import { expect, it } from 'vitest'
import { reportRun } from '../../../src/commands/report/report-run.ts'
import { writePage } from '../../../src/commands/report/write-page.ts'
import { executeRun } from '../../../src/commands/session/execute.ts'
import { addTimesum } from '../../../src/loop/journal/checksum.ts'
import { readInterimLooks } from '../../../src/loop/record/interim-looks.ts'
import { ownLockText } from '../../../src/loop/record/lock.ts'
import { readManifest } from '../../../src/loop/record/run-folder.ts'
import { richRun } from '../../helpers/exports/rich-run.ts'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { record } from '../../helpers/runs/run-files.ts'
import { loseRecords } from '../../helpers/runs/write-run.ts'
import { type TestViewer, viewerOf } from '../../helpers/servers/viewer.ts'

const right = 'quagga-7319'

/** Runs a method that answers `wrong` on a task whose right answer is a word that stands nowhere else. */
async function runOfWord(): Promise<{ root: string; run: string; trial: string; suite: string }> {
  const folder = tempFolder()
  const suite = join(folder, 'words')
  mkdirSync(join(suite, 'word'), { recursive: true })
  writeFileSync(join(suite, 'word/instruction.md'), 'Which word?\n')
  const task = { id: 'word', version: 1, title: 'Word', output: 'answer', licence: 'MIT', source: 'own' }
  const graders = [{ kind: 'exact', answer: right }]
  writeFileSync(
    join(suite, 'word/task.yaml'),
    JSON.stringify({ ...task, graders, properties: {}, limits: {} }),
  )
  const agent = join(folder, 'agent.mjs')
  const reply =
    '{ text: "Answer: wrong", tokens: { input: 10, output: 5, cached: 0 }, costUsd: 0.5, durationMs: 9 }'
  writeFileSync(agent, `export default () => (${reply})\n`)
  const out = join(folder, 'root/run')
  await executeRun(
    { tasks: `native:${suite}`, agents: `scripted:${agent}`, methods: 'baseline', out, trustCode: true },
    { signal: new AbortController().signal, onEvent: () => {} },
  )
  const { trial } = JSON.parse(readFileSync(join(out, 'records.jsonl'), 'utf8').split('\n')[0] ?? '')
  return { root: dirname(out), run: out, trial, suite }
}

const textOf = async (viewer: TestViewer, path: string, selector = 'main') => {
  const { document } = parseHTML((await viewer.get(path)).text)
  return document.querySelector(selector)?.textContent ?? ''
}

it('a trial shows what is right beside what was handed in, and no file of the run and no written page holds it', async () => {
  const { root, run, trial } = await runOfWord()
  const viewer = await viewerOf(root)
  expect(await textOf(viewer, `/runs/run/trials/${trial}`, '.right')).toContain(right)
  expect(await textOf(viewer, `/runs/run/trials/${trial}`, '.given')).toContain('Answer: wrong')
  const page = join(root, 'page.html')
  const manifest = readManifest(run)
  const report = await reportRun(run, manifest)
  await writePage({ folder: run, manifest, report, format: 'html', options: { out: page, format: 'html' } })
  expect(readFileSync(page, 'utf8')).toContain('wrong')
  for (const file of [page, ...['run.json', 'records.jsonl', 'steps.jsonl'].map((name) => join(run, name))])
    expect(readFileSync(file, 'utf8')).not.toContain(right)
  expect((await viewer.get('/runs/run')).text).not.toContain(right)
})

it('what is right is not shown once the task is another one than in the run, or gone', async () => {
  const { root, trial, suite } = await runOfWord()
  const viewer = await viewerOf(root)
  const task = join(suite, 'word/task.yaml')
  writeFileSync(task, readFileSync(task, 'utf8').replace(right, 'okapi'))
  expect(await textOf(viewer, `/runs/run/trials/${trial}`, '.right')).toBe(
    'RightNot shown: the task has changed since this run.',
  )
  rmSync(suite, { recursive: true })
  expect(await textOf(viewer, `/runs/run/trials/${trial}`, '.right')).toBe(
    'RightNot shown: the task cannot be read any more.',
  )
})

const two = (trial: string, method: string, passed: boolean, epoch = 1) => ({
  ...record(trial),
  method,
  passed,
  epoch,
})
const whole = [
  two('a1', 'baseline', true),
  two('a2', 'baseline', true, 2),
  two('b1', 'other[n=2]', false),
  two('b2', 'other[n=2]', true, 2),
]
const unfinished = { trials: 9 }

it('success by method of a live run that is not whole is shut, in the answer and in the grid', async () => {
  const run = richRun(unfinished, { recorded: whole, steps: [] })
  const viewer = await viewerOf(dirname(run))
  const text = await textOf(viewer, '/runs/run')
  expect(text).toContain('Success by method is shut until the run is whole')
  expect(text).toContain('4 of 9 trials have ended.')
  const { document } = parseHTML((await viewer.get('/runs/run')).text)
  const marks = [...document.querySelectorAll('#grid tbody a[href]')].map((one) =>
    one.getAttribute('data-result'),
  )
  expect(marks).toEqual(['ended', 'ended', 'ended', 'ended'])
  expect(document.querySelectorAll('select[name="show"], select[name="sort"]')).toHaveLength(0)
  // A choice in the address tells nothing either.
  const all = await textOf(viewer, '/runs/run', '#grid tbody')
  for (const choice of ['show=failed', 'show=differ'])
    expect(await textOf(viewer, `/runs/run?${choice}`, '#grid tbody')).not.toContain('✓')
  expect(all).not.toMatch(/[✓✗]/)
  expect(readInterimLooks(run)).toEqual([])
})

it('who presses peek sees it, and the look is noted in the run as often as there is more to see', async () => {
  const run = richRun(unfinished, { recorded: whole, steps: [] })
  const viewer = await viewerOf(dirname(run), { control: true })
  const control = await viewer.controlOf('/runs/run')
  expect((await viewer.post('/runs/run/peek', { control })).status).toBe(303)
  expect(await textOf(viewer, '/runs/run', '#grid tbody')).toContain('✗')
  expect(await textOf(viewer, '/runs/run', '#answer')).toContain('baseline')
  await viewer.get('/runs/run')
  const looks = readInterimLooks(run)
  expect(looks.map(({ records, command }) => [records, command])).toEqual([[4, 'bench view']])
})

it('a whole run, a simulated one and one of one method are open', async () => {
  const dev = { simulated: true, mode: 'dev' as const }
  for (const change of [{ simulated: false }, { ...unfinished, ...dev }]) {
    const recorded = whole.map((one) => ({
      ...one,
      ...(change.simulated && { simulated: true, mode: 'dev' as const }),
    }))
    const run = richRun(change, { recorded, steps: [] })
    const viewer = await viewerOf(dirname(run))
    expect(await textOf(viewer, '/runs/run', '#grid tbody')).toContain('✗')
  }
})

it('tasks are chosen by name, method, result and text, and sorted by how far methods are apart', async () => {
  const tasks = ['s/alpha', 's/beta', 's/gamma']
  const recorded = tasks.flatMap((task, at) => [
    { ...two(`a${at}`, 'baseline', true), task, answer: `the answer of ${task}` },
    { ...two(`b${at}`, 'other[n=2]', at !== 1), task },
  ])
  const change = { tasks: tasks.map((ref) => ({ ref, digest: 'd' })), epochs: 1 }
  const viewer = await viewerOf(dirname(richRun(change, { recorded, steps: [] })))
  const shown = async (query: string) => {
    const { document } = parseHTML((await viewer.get(`/runs/run?${query}`)).text)
    return [...document.querySelectorAll('#grid tbody th')].map(({ textContent }) => textContent)
  }
  expect(await shown('')).toEqual(tasks)
  expect(await shown('task=BET')).toEqual(['s/beta'])
  expect(await shown('show=differ')).toEqual(['s/beta'])
  expect(await shown('show=failed')).toEqual(['s/beta'])
  expect(await shown('show=errors')).toEqual([])
  expect(await shown('method=baseline&show=failed')).toEqual([])
  expect(await shown('sort=apart')).toEqual(['s/beta', 's/alpha', 's/gamma'])
  expect(await shown('q=answer+of+s/gamma')).toEqual(['s/gamma'])
  // What a grader said is no text of the trial.
  expect(await shown('q=2+of+2')).toEqual([])
  expect(await shown('page=99&sort=nonsense&show=nonsense')).toEqual(tasks)
})

it('the links of a trial lead to its neighbours in the choice that it was opened from', async () => {
  const viewer = await viewerOf(dirname(richRun({}, { recorded: whole, steps: [] })))
  const { document } = parseHTML((await viewer.get('/runs/run/trials/a2?method=baseline')).text)
  expect(document.querySelector('a[rel="prev"]')?.getAttribute('href')).toBe(
    '/runs/run/trials/a1?method=baseline',
  )
  expect(document.querySelector('a[rel="next"]')).toBeNull()
  expect((await viewer.get('/runs/run/trials/zz')).status).toBe(404)
})

it('a torn, damaged, newer or foreign line is told in its place, and the rest is shown', async () => {
  const run = richRun({}, { recorded: whole, steps: [] })
  const records = join(run, 'records.jsonl')
  appendFileSync(records, 'no json\n{"schemaVersion":9,"trial":"x"}\n{"strange":true}\n{"trial":"torn')
  const viewer = await viewerOf(dirname(run))
  const { document } = parseHTML((await viewer.get('/runs/run')).text)
  const told = [...document.querySelectorAll('main > .warnings li')].map(({ textContent }) => textContent)
  expect(told).toEqual([
    'records.jsonl, line 5, is damaged',
    'records.jsonl, line 6, was written by a newer bench',
    'records.jsonl, line 7, was not written by bench',
  ])
  expect(document.querySelectorAll('#grid tbody a[href]')).toHaveLength(4)
  expect(document.querySelector('#answer')?.textContent).toContain('records.jsonl')
})

it('a number that was changed after it had been written is shown nowhere, and the line is named', async () => {
  const run = richRun({}, { recorded: whole })
  const changeFirst = (file: string, from: RegExp, to: string) =>
    writeFileSync(join(run, file), readFileSync(join(run, file), 'utf8').replace(from, to))
  const viewer = await viewerOf(dirname(run))
  const trial = /"trial":"([^"]+)"/.exec(readFileSync(join(run, 'records.jsonl'), 'utf8'))?.[1] ?? ''
  changeFirst('records.jsonl', /"costUsd":[\d.]+/, '"costUsd":9876.5')
  expect(await textOf(viewer, '/runs/run', 'main > .warnings')).toContain(
    'records.jsonl, line 1, was changed after it had been written',
  )
  expect((await viewer.get(`/runs/run/trials/${trial}`)).text).not.toMatch(/9,?876/)
  writeFileSync(
    join(run, 'steps.jsonl'),
    `${addTimesum('{"trial":"a2","costUsd":0.5}').replace('0.5', '9876.5')}\n`,
  )
  const { text } = await viewer.get('/runs/run/trials/a2')
  expect(text).toContain('steps.jsonl:1: was changed after it had been written: its checksum is wrong')
  expect(text).not.toMatch(/9,?876/)
})

it('a run that lost its records says so', async () => {
  const run = richRun({}, { recorded: whole, steps: [] })
  loseRecords(run)
  const viewer = await viewerOf(dirname(run))
  expect(await textOf(viewer, '/runs/run', '#answer')).toContain('has lost records')
  rmSync(join(run, 'records.jsonl'))
  expect(await textOf(viewer, '/runs/run', '#answer')).toContain('has lost records: it has 0 bytes')
})

it('a run that cannot be read says why in its place, and hides no other', async () => {
  const run = richRun({}, { recorded: whole, steps: [] })
  const root = dirname(run)
  cpSync(run, join(root, 'newer'), { recursive: true })
  writeFileSync(join(root, 'newer/run.json'), '{"schemaVersion":9}')
  const viewer = await viewerOf(root)
  expect(await textOf(viewer, '/')).toMatch(/newer.*was written by a newer bench/)
  expect(await textOf(viewer, '/', '#runs tbody')).toContain('4/4')
  const { status, text } = await viewer.get('/runs/newer')
  expect(status).toBe(200)
  expect(text).toContain('Update bench.')
  renameSync(run, join(root, 'elsewhere'))
  expect((await viewer.get('/runs/run')).status).toBe(404)
  expect((await viewer.get('/runs/elsewhere')).status).toBe(200)
})

it('a run that works says so, how far it is, and who does what', async () => {
  const step = { trial: 'c1', attempt: 1, key: '#0', kind: 'intent', agent: 'openai:m', hash: 'h' }
  const run = richRun(unfinished, { recorded: whole, steps: [step as never] })
  writeFileSync(join(run, 'lock'), ownLockText(0))
  const budgets = { run: { costUsd: 5 }, methods: {} }
  writeFileSync(
    join(run, 'sessions.jsonl'),
    `${JSON.stringify({ type: 'begin', startedAt: '2025-12-31T00:00:00.000Z', parallel: 2, budgets })}\n`,
  )
  const text = await textOf(await viewerOf(dirname(run)), '/runs/run', '#status')
  expect(text).toMatch(/running 4 of 9 trials, about .* left, \$0\.0500 of \$5\.00 in ended trials/)
  expect(text).toContain('c1: waits for openai:m')
})

it('an empty folder says how to start, and a folder of many runs has pages', async () => {
  const root = tempFolder()
  const viewer = await viewerOf(root)
  expect(await textOf(viewer, '/')).toContain('No runs yet')
  const run = richRun({}, { recorded: whole, steps: [] })
  for (let at = 0; at < 30; at++) cpSync(run, join(root, `run-${at}`), { recursive: true })
  const rows = async (path: string) =>
    parseHTML((await viewer.get(path)).text).document.querySelectorAll('#runs tbody tr').length
  expect([await rows('/'), await rows('/?page=2'), await rows('/?q=run-7')]).toEqual([25, 5, 1])
})
