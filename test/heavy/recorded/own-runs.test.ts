import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { argv } from '../../helpers/runs/argv.ts'
import { bench, benchOk, recordsOf, refused, shareProcess, stepsOf } from '../../helpers/runs/cli.ts'
import { recordedFolder, recordedTasks } from '../../helpers/runs/recorded-files.ts'

shareProcess()

/** An agent whose numbers are real, as those of a model, and whose replies differ by task and epoch. */
const real = `export const simulated = false
export default ({ trial: { task, epoch } }) => ({
  text: epoch === 3 ? '' : 'Answer: ' + (task.endsWith('-1') ? 18 + (epoch % 2) : epoch),
  tokens: { input: 100 + epoch, output: 10 },
})`

it('the replies of a run become samples of a recorded agent, with which other methods are tried', async () => {
  const cwd = recordedFolder()
  writeFileSync(join(cwd, 'real.mjs'), real)
  const of = argv`--tasks ${recordedTasks}:4 --quiet --sandbox none`
  await bench(
    [...of, ...argv`--methods baseline,sequential --epochs 4 --agents scripted:real.mjs --out live`],
    { cwd },
  )
  const made = argv`replies import live --licence CC0 --model mine --out mine.jsonl`
  const { stderr } = await bench(made, { cwd })
  expect(stderr).toContain('4 empty replies, which will count as failed')
  expect(stderr).toContain('16 replies of mine to 4 tasks in mine.jsonl')
  const [header, ...lines] = readFileSync(join(cwd, 'mine.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(header).toMatchObject({ model: 'mine', licence: 'CC0', prompts: 'bench', replies: 16 })
  expect(header.source).toMatch(/^bench run \d{4}-/)
  expect(header.date).toMatch(/^\d{4}-\d\d-\d\d$/)
  expect(lines.slice(0, 4)).toEqual(
    [1, 2, 3, 4].map((sample) => ({
      ...{ task: 'gsm8k/mgsm-1', sample, reply: sample === 3 ? '' : `Answer: ${18 + (sample % 2)}` },
      tokens: { input: 100 + sample, output: 10 },
    })),
  )

  await bench(
    [
      ...of,
      ...argv`--methods baseline,best-of[n=4],self-consistency[n=4] --agents recorded:mine.jsonl --out again`,
    ],
    { cwd },
  )
  const records = recordsOf(join(cwd, 'again'))
  expect(records.map(({ outcome }) => outcome.status)).not.toContain('error')
  const [first] = records.filter(
    ({ method, task }) => method === 'self-consistency[n=4]' && task === 'gsm8k/mgsm-1',
  )
  // The empty reply of epoch 3 has no vote.
  expect(first).toMatchObject({ passed: true, spent: { calls: 4 }, state: { failed: 1 } })
  expect(await benchOk(argv`report again`, { cwd })).toMatch(/prompts are bench's/)
  const live = recordsOf(join(cwd, 'live')).filter(
    ({ method, epoch }) => method === 'baseline' && epoch === 1,
  )
  const baseline = records.filter(({ method }) => method === 'baseline')
  const passed = (all: typeof live) => Object.fromEntries(all.map(({ task, passed }) => [task, passed]))
  expect(passed(baseline)).toEqual(passed(live))
})

it('runs whose replies no model gave, and folders that are no runs, cannot be imported', async () => {
  const cwd = recordedFolder()
  const of = argv`--tasks ${recordedTasks}:2 --methods baseline --quiet`
  await bench([...of, ...argv`--out simulated`], { cwd })
  await bench([...of, ...argv`--agents recorded:qwen-2.5-7b@replies --out recorded`], { cwd })
  writeFileSync(join(cwd, 'real.mjs'), real)
  writeFileSync(join(cwd, 'other.mjs'), real)
  await bench([...of, ...argv`--agents scripted:real.mjs,scripted:other.mjs --out two`], { cwd })
  await bench(
    argv`--tasks ${recordedTasks}:2 --methods sequential --agents scripted:real.mjs --quiet --out asks-more`,
    { cwd },
  )
  const tried: [string, RegExp][] = [
    ['simulated', /\[simulated\] has replies that are simulated\. Name a live run/],
    ['recorded', /\[recorded\] has replies that are recorded already/],
    ['source', /\[source\] is a folder, but not that of a run/],
    ['asks-more', /has no reply to a task alone: only asks of methods such as baseline/],
    ['two', /has replies of 2 agents\. Choose one with --agent: scripted:other\.mjs, scripted:real\.mjs/],
    ['two --agent x', /\[--agent x\] gave no reply to a task alone in these runs/],
    ['two mgsm.jsonl.gz', /got run folders and other files\. Import them separately/],
    ['two --agent scripted:real.mjs', /\[--licence\] is missing/],
  ]
  for (const [words, why] of tried)
    await refused([...argv`replies import`, ...words.split(' '), ...argv`--out x.jsonl`], [why], { cwd })
  await benchOk(argv`replies import two --agent scripted:other.mjs --licence CC0 --out x.jsonl.gz`, { cwd })
})

it('code in recorded replies was written by a model, so it needs the sandbox', async () => {
  const cwd = recordedFolder()
  const header = {
    format: 'bench-replies-1',
    model: 'm',
    source: 's',
    licence: 'MIT',
    date: '2025',
    prompts: 'source',
    replies: 1,
  }
  const reply = { task: 'code/cell-sheet', sample: 1, reply: 'nothing', tokens: { input: 1, output: 1 } }
  writeFileSync(join(cwd, 'code.jsonl'), `${JSON.stringify(header)}\n${JSON.stringify(reply)}\n`)
  const run = argv`--tasks cell-sheet --methods baseline --agents recorded:code.jsonl --sandbox none`
  await refused(run, [/\[agent recorded:code\.jsonl\] has code of a model that would run in no sandbox/], {
    cwd,
  })
  await bench([...run, ...argv`--allow-unsandboxed --out run`], { cwd })
  expect(stepsOf(join(cwd, 'run')).map(({ kind }) => kind)).toContain('grade')
})
