import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { folderOf } from '../helpers/machine/temp.ts'
import { argv } from '../helpers/runs/argv.ts'
import { bench, benchOk, recordsOf, refused, shareProcess, stepsOf } from '../helpers/runs/cli.ts'
import { recordedFolder, recordedTasks } from '../helpers/runs/recorded-files.ts'

shareProcess()

/** Eight tasks; the agent knows all of them if it is told to be careful, and else the first two alone. */
const files = {
  'careful.md': 'Be careful.\n',
  'terse.md': 'Be brief.\n',
  'tasks.jsonl': [1, 2, 3, 4, 5, 6, 7, 8]
    .map((n) => JSON.stringify({ id: `t${n}`, question: `Number ${n}?`, answer: `${n}` }))
    .join('\n'),
  'agent.mjs': `export default ({ prompt }) => {
  const n = Number(/Number (\\d)/.exec(prompt)[1])
  return { text: 'Answer: ' + (prompt.includes('Be careful.') || n < 3 ? n : 0), tokens: { input: 1, output: 1 } }
}`,
  'sure.mjs': `export default ({ prompt }) => ({ text: 'Answer: ' + /Number (\\d)/.exec(prompt)[1], tokens: { input: 1, output: 1 } })`,
}
const run = argv`--tasks jsonl:tasks.jsonl?licence=MIT --methods baseline,consensus[agents=2] --agents scripted:agent.mjs --agent worker-1=scripted:sure.mjs --quiet`
const worded = argv`--instructions default,careful.md,terse.md`

it('each method runs with each wording, which stands beside the task, and default has the trials of a run without wordings', async () => {
  const cwd = folderOf(files)
  await bench([...run, ...worded, '--out', 'run'], { cwd })
  await bench([...run, '--out', 'bare'], { cwd })
  const records = recordsOf(join(cwd, 'run'))
  expect(records).toHaveLength(2 * 3 * 8)
  const bare = recordsOf(join(cwd, 'bare')).map(({ trial }) => trial)
  const usual = records.filter(({ agentSet }) => agentSet === 'default').map(({ trial }) => trial)
  expect(usual.sort()).toEqual(bare.sort())
  const sets = new Map(records.map(({ trial, agentSet }) => [trial, agentSet]))
  for (const step of stepsOf(join(cwd, 'run'))) {
    if (step.kind !== 'ask') continue
    const { careful, terse } = { careful: 'Be careful.', terse: 'Be brief.' }
    const text = { careful, terse }[sets.get(step.trial) ?? '']
    const place = /\?\n\n(# How to work\n(.*)\n\n)?# What to hand in\n/.exec(step.prompt)
    expect([sets.get(step.trial), place?.[2]]).toEqual([sets.get(step.trial), text])
  }
  const manifest = JSON.parse(readFileSync(join(cwd, 'run', 'run.json'), 'utf8'))
  expect(manifest.agentSets[1].instructions).toEqual({ file: 'careful.md', text: 'Be careful.' })
  expect(await benchOk(argv`replay run`, { cwd })).toContain('no divergence')
})

it('the report says what the wording makes of each method, in words, and tests all pairs of methods and wordings as one family', async () => {
  const cwd = folderOf(files)
  // Tests of scripted agents are made on request alone.
  await bench([...run, ...worded, ...argv`--calibration --out run`], { cwd })
  const json = JSON.parse(await benchOk(argv`report run --format json`, { cwd }))
  const ends = (lowest: number, highest: number) => ({
    lowest: { wording: 'default', success: lowest },
    highest: { wording: 'careful', success: highest },
  })
  expect(json.wordings).toMatchObject({ tasks: 8, wordings: ['default', 'careful', 'terse'] })
  expect(json.wordings.methods).toMatchObject([
    { method: 'consensus[agents=2]' },
    { method: 'baseline', mean: 0.5, ...ends(0.25, 1) },
  ])
  // Pairs of two methods with one wording, and of two wordings with one method.
  expect(json.comparison.pairs).toHaveLength(3 * 1 + 2 * 3)
  expect(json.comparison.family.size).toBe(9)
  const report = (await benchOk(argv`report run`, { cwd })).replace(/\s+/g, ' ')
  expect(report).toContain('2 methods with 3 wordings each on 8 tasks')
  expect(report).toMatch(/the wording moves baseline by 75\.0 points \(from default to careful\)/)
  expect(report).toContain('3 wordings were tried on the same tasks, and each counts as a look')
  expect(await benchOk(argv`show run`, { cwd })).toContain('with the instructions of careful.md')
})

it('wordings that cannot be compared are refused, all at once', async () => {
  const cwd = folderOf({ ...files, 'empty.md': '\n', 'copy.md': 'Be brief.', 'more/terse.md': 'Be short.' })
  const dry = [...run, '--dry-run', '--instructions']
  await refused([...dry, 'careful.md'], ['names one wording; a comparison needs two'], { cwd })
  await refused(
    [...dry, 'default,careful.md,nope.md,empty.md,terse.md,copy.md,more/terse.md,default'],
    [
      '[--instructions nope.md] there is no such file',
      '[--instructions empty.md] is empty',
      '[--instructions copy.md] says the same as "terse"',
      '[--instructions more/terse.md] is the second wording named "terse"',
      '[--instructions default] is the second wording named "default"',
    ],
    { cwd },
  )
  const two = argv`--tasks jsonl:tasks.jsonl?licence=MIT --methods baseline --dry-run --instructions default,terse.md`
  await refused(
    [...two, ...argv`--agents scripted:agent.mjs,scripted:sure.mjs`],
    ['conflicts with several agents after --agents'],
    { cwd },
  )
  const recorded = recordedFolder()
  await refused(
    argv`--tasks ${recordedTasks} --methods baseline --agents recorded:qwen-2.5-7b@replies --instructions default,README.md`,
    ['recorded replies answer the words of their source'],
    { cwd: recorded },
  )
  await bench([...run, ...argv`--instructions default,terse.md --out run`], { cwd })
  await refused(
    argv`run --extend run --agents scripted:sure.mjs`,
    ['cannot be added to a run with several wordings'],
    {
      cwd,
    },
  )
  await refused(
    argv`run --extend run --instructions default,careful.md`,
    ['[--instructions] conflicts with --extend'],
    {
      cwd,
    },
  )
})

it('a config file names files of its folder alone', async () => {
  const config = 'run: { instructions: [default, ../careful.md] }\n'
  const cwd = folderOf({ ...files, 'bench.config.yaml': config })
  await refused([...run, '--dry-run'], [/\.\.\/careful\.md\]/], { cwd })
})
