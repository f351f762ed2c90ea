import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { argv } from '../../helpers/runs/argv.ts'
import {
  asksOf,
  bench,
  benchOk,
  recordLines,
  recordsOf,
  refused,
  startBench,
  until,
  wholeLines,
} from '../../helpers/runs/cli.ts'
import {
  recordedFolder,
  recordedTasks,
  repliesOf,
  taskCount,
  writeSamples,
} from '../../helpers/runs/recorded-files.ts'

const prices = `date: 2026-11-01
source: the vendors' lists
prices:
  recorded:qwen-2.5-7b: { input: 0.04, output: 0.1 }
  recorded:llama-3.1-8b: { input: 0.02, output: 0.05 }
  recorded:deepseek-v3: { input: 0.27, output: 1.1 }
`

const models = ['qwen-2.5-7b', 'llama-3.1-8b', 'deepseek-v3'] as const
const cascade = argv`--tasks ${recordedTasks} --methods baseline,consensus[agents=3] --agents recorded:deepseek-v3@replies
  --agent worker-1=recorded:qwen-2.5-7b@replies --agent worker-2=recorded:llama-3.1-8b@replies
  --agent worker-3=recorded:deepseek-v3@replies --quiet`

it('recorded replies are graded and priced by their tokens, and every format says whose they are', async () => {
  const cwd = recordedFolder()
  writeFileSync(join(cwd, 'prices.yaml'), prices)
  const agents = models.map((model) => `recorded:${model}@replies`).join(',')
  await bench(
    argv`--tasks ${recordedTasks} --methods baseline --agents ${agents} --prices prices.yaml --out run`,
    { cwd },
  )
  const folder = join(cwd, 'run')
  const records = recordsOf(folder)
  expect(records).toHaveLength(3 * taskCount)
  for (const { simulated, recorded, durationMs } of records)
    expect({ simulated, recorded, durationMs }).toEqual({
      simulated: false,
      recorded: true,
      durationMs: null,
    })
  const solved = (model: string) =>
    records.filter(({ agents, passed }) => String(agents).includes(model) && passed).length
  expect(models.map(solved)).toEqual([22, 20, 20])

  const [, first] = repliesOf('qwen-2.5-7b')
  const ask = asksOf(folder).find(({ agent, reply }) => agent.includes('qwen') && reply === first?.reply)
  expect(ask).toMatchObject({ sample: 1, durationMs: 0, costSource: 'file' })
  const { input, output } = first?.tokens ?? {}
  expect(ask?.costUsd).toBeCloseTo(((input ?? 0) * 0.04 + (output ?? 0) * 0.1) / 1e6, 12)

  const source = [
    'kuk/simple-evals-ru, commit 5fb1507',
    'MIT',
    '2025',
    "prompts are the source's",
    '1 sample a task',
  ]
  for (const format of ['text', 'markdown', 'latex', 'html', 'json']) {
    const text = await benchOk(
      ['report', 'run', '--format', format, ...(format === 'html' ? ['--out', 'page.html'] : [])],
      { cwd },
    )
    const shown = (format === 'html' ? readFileSync(join(cwd, 'page.html'), 'utf8') : text)
      .replaceAll('&#39;', "'")
      .replaceAll('’', "'")
      .replace(/\s+/g, ' ')
    if (format !== 'json') for (const part of source) expect(shown, format).toContain(part)
    expect(shown, format).toMatch(/recorded/)
    expect(shown, format).not.toMatch(/simulated numbers|\blive;/)
  }
  const csv = await benchOk(argv`report run --format csv`, { cwd })
  expect(csv.split('\n')[0]).not.toMatch(/clock/)
  const pairs = await benchOk(argv`report run --pairs --format csv`, { cwd })
  expect(pairs.split('\n')[0]).not.toMatch(/time_/)
  expect(pairs.split('\n')[0]).toMatch(/p_adjusted/)
  expect(await benchOk(argv`show run`, { cwd })).toMatch(/recorded +Recorded replies of qwen-2\.5-7b/)
})

it('a missing reply is a missing trial, and an empty one a failure that is not asked again', async () => {
  const cwd = recordedFolder()
  const { stderr } = await bench([...cascade, '--out', 'run'], { cwd })
  expect(stderr).toMatch(
    /llama-3\.1-8b@replies has no reply to 2 of 24 tasks \(gsm8k\/mgsm-21, gsm8k\/mgsm-22\)/,
  )
  expect(stderr).not.toContain('--retry-errors')
  const records = recordsOf(join(cwd, 'run'))
  const missing = records.filter(({ outcome }) => outcome.status === 'error')
  expect(missing.map(({ method, task }) => `${method} ${task}`).sort()).toEqual([
    'consensus[agents=3] gsm8k/mgsm-21',
    'consensus[agents=3] gsm8k/mgsm-22',
  ])
  expect(missing[0]?.outcome.reason).toMatch(/no recorded reply to gsm8k\/mgsm-2\d, sample 1/)
  const empty = records.find(({ method, task }) => method === 'baseline' && task === 'gsm8k/mgsm-24')
  expect(empty).toMatchObject({ passed: false, outcome: { status: 'failed' }, spent: { calls: 1 } })
  expect(empty?.retries).toBeUndefined()
})

it('a run is equal at any parallelism, after a kill, on replay and graded again', async () => {
  const cwd = recordedFolder()
  await bench([...cascade, ...argv`--out whole --parallel 1`], { cwd })
  const whole = recordLines(join(cwd, 'whole'))
  await bench([...cascade, ...argv`--out wide --parallel 8`], { cwd })
  expect(recordLines(join(cwd, 'wide'))).toEqual(whole)
  for (const records of [1, 9, 20]) {
    const out = `killed-${records}`
    const running = startBench([...cascade, ...argv`--out ${out} --parallel 2`], { cwd })
    await until(() => running.isOver() || wholeLines(join(cwd, out, 'records.jsonl')).length >= records)
    running.kill('SIGKILL')
    await running.ended
    await bench(argv`--resume ${out} --quiet`, { cwd })
    expect(recordLines(join(cwd, out))).toEqual(whole)
  }
  expect(whole).toHaveLength(2 * taskCount)
  expect(await benchOk(argv`replay whole`, { cwd })).toContain('no divergence')
  expect(await benchOk(argv`replay killed-9 --regrade`, { cwd })).toContain('no divergence')
})

it('samples follow from the branch and the epoch alone', async () => {
  const cwd = recordedFolder()
  writeSamples(cwd)
  const methods = 'baseline,self-consistency[n=2],retry[n=2],best-of[n=2],consensus[agents=2]'
  const ran = argv`--methods ${methods} --agents recorded:several@samples --epochs 2 --limit calls=9`
  await bench([...argv`--tasks ${recordedTasks} --quiet --out run`, ...ran], { cwd })
  const folder = join(cwd, 'run')
  const places = new Map(recordsOf(folder).map(({ trial, method, epoch }) => [trial, { method, epoch }]))
  const seen = new Map<string, Set<number>>()
  for (const { trial, key, sample } of asksOf(folder)) {
    const { method, epoch } = places.get(trial) ?? {}
    const name = `${method} ${epoch} ${key}`
    seen.set(name, (seen.get(name) ?? new Set()).add(sample ?? 0))
  }
  expect([...seen].map(([name, samples]) => `${name}: ${[...samples].join(' ')}`).sort()).toMatchSnapshot()
})

it('a session refuses to go on with other replies, and a replay needs none', async () => {
  const cwd = recordedFolder()
  const running = argv`--tasks ${recordedTasks} --methods baseline --agents recorded:replies/qwen-2.5-7b.jsonl.gz --max-calls 5 --out run`
  await bench(running, { cwd })
  const [header, ...all] = repliesOf('qwen-2.5-7b')
  const other = [header, ...all.map((reply) => ({ ...reply, reply: 'Answer: 0' }))]
  writeFileSync(
    join(cwd, 'replies/qwen-2.5-7b.jsonl.gz'),
    other.map((line) => `${JSON.stringify(line)}\n`).join(''),
  )
  await refused(argv`--resume run --max-calls none`, [/file of recorded replies of agent .* changed/], {
    cwd,
  })
  writeFileSync(join(cwd, 'replies/qwen-2.5-7b.jsonl.gz'), '')
  expect(await benchOk(argv`replay run`, { cwd })).toContain('no divergence')
})

it('a dry run says that nobody is asked, and what the recorded tokens cost', async () => {
  const cwd = recordedFolder()
  writeFileSync(join(cwd, 'prices.yaml'), prices)
  const priced = await benchOk([...cascade, ...argv`--prices prices.yaml --dry-run`], { cwd })
  expect(priced).toMatch(/baseline +24 +24 +\$0\.00535\n/)
  expect(priced).toMatch(/consensus\[agents=3\] +24 +70 +\$0\.00634/)
  const steps = argv`--agent step-1=recorded:qwen-2.5-7b@replies --agent step-2=recorded:llama-3.1-8b@replies`
  const most = await benchOk(
    [
      ...argv`--tasks ${recordedTasks} --methods cascade --agents recorded:deepseek-v3@replies --prices prices.yaml --dry-run`,
      ...steps,
    ],
    { cwd },
  )
  expect(most).toMatch(/cascade +24 +at most 70 +at most \$0\.00634/)
  const out = await benchOk(
    argv`--tasks ${recordedTasks} --methods baseline --agents recorded:qwen-2.5-7b@replies --dry-run`,
    { cwd },
  )
  expect(out).toMatch(/^24 trials with recorded replies: the run asks nobody and costs nothing\./)
})
