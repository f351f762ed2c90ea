import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { machineRecord } from '../../helpers/fanout/machine-records.ts'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { argv } from '../../helpers/runs/argv.ts'
import { bench, benchOk, recordsOf, refused, shareProcess } from '../../helpers/runs/cli.ts'

shareProcess()

/** Runs a method in a folder of its own; the run stops before it makes more calls than `most`. */
async function runOf(method: string, most?: number): Promise<{ cwd: string; trial: string }> {
  const cwd = tempFolder()
  writeMachineMethod(cwd)
  const config = 'agents: { main: { provider: simulated, window: 1000 } }\n'
  writeFileSync(join(cwd, 'bench.config.yaml'), `${config}capture: { previews: false, usage: false }\n`)
  const args = argv`--tasks ferry-morning --agents main --methods ${method} --quiet --out run`
  const { code } = await bench([...args, ...(most ? ['--max-calls', String(most)] : [])], { cwd })
  expect(code).toBe(most ? 3 : 0)
  return { cwd, trial: recordsOf(join(cwd, 'run'))[0]?.trial ?? '' }
}

it('bench show prints transitions, breaks with decisions, and tokens with context windows of a run and a trial', async () => {
  const { cwd, trial } = await runOf('./states.mjs')
  const text = await benchOk(['show', 'run', '--transitions'], { cwd })
  expect(text).toContain(
    `Trial ${trial.slice(0, 12)}, answers/ferry-morning, states, epoch 1, completed, done`,
  )
  expect(text).toMatch(/draft +1 +0\.0 s +2\.0 s +partial_success +audit/)
  expect(text).toContain('- draft: b ran out of time (no reply within 300 s).')
  expect(text).toMatch(/check +1 .* retry +draft/)

  const breaks = (await benchOk(['show', 'run', trial, '--breaks'], { cwd })).replace(/\s+/g, ' ')
  expect(breaks).toContain('Break state_visits at 6.0 s, from check to draft: draft was entered 2 times.')
  expect(breaks).toContain(
    'Decision at 6.0 s: proceed, asked at loop_warning in check; because: One more attempt',
  )
  expect(breaks).toContain('One more attempt')

  const tokens = await benchOk(['show', 'run', '--tokens'], { cwd })
  for (const what of ['state', 'agent', 'session']) expect(tokens).toContain(`tokens by ${what}`)
  expect(tokens).toContain('Run: tokens by state')
  expect(tokens).toMatch(/draft +2 /)
  expect(tokens).toMatch(/a, session workflow +[\d,]+ +1,000 \(set\)/)
  expect(tokens).toContain('b, each call alone')
  const { trials } = JSON.parse(await benchOk(['show', 'run', '--tokens', '--json'], { cwd }))
  const { calls, total } = trials[0].tokens
  expect(calls.map(({ state, visit }: { state: string; visit: number }) => [state, visit])).toEqual([
    ['draft', 1],
    ['audit', 1],
    ['draft', 2],
  ])
  expect(total.input.value).toBe(
    calls.reduce((sum: number, { tokens }: { tokens: { input: number } }) => sum + tokens.input, 0),
  )
})

it('the summary that a workflow writes has the context windows of bench show --tokens, also after a resumed run', async () => {
  const cwd = tempFolder()
  writeFileSync(join(cwd, 'bench.config.yaml'), 'agents: { main: { provider: simulated, window: 20000 } }\n')
  const plan = ['--tasks', 'lost-backup', '--epochs', '2', '--agents', 'main', '--methods', 'fanout:post']
  const { code } = await bench([...plan, '--out', 'run', '--quiet', '--max-calls', '20'], { cwd })
  expect(code).toBe(3)
  await benchOk(['run', '--resume', 'run', '--max-calls', '200', '--quiet'], { cwd })
  const records = recordsOf(join(cwd, 'run'))
  expect(records).toHaveLength(2)
  for (const { trial } of records) {
    const text = readFileSync(join(cwd, 'run/artifacts', trial, 'outputs/run-summary.md'), 'utf8')
    expect(text.split('## Context windows')).toHaveLength(2)
    const { trials } = JSON.parse(await benchOk(['show', 'run', trial, '--tokens', '--json'], { cwd }))
    const rows = [...text.matchAll(/^\| (.+?) \| ([\d,]+) \| 20,000 \(set\) \|/gm)]
    expect(rows.map(([, name, used = '']) => [name, Number(used.replaceAll(',', ''))])).toEqual(
      trials[0].tokens.sessions.map(({ name, used }: { name: string; used: number }) => [name, used]),
    )
    expect(rows.length).toBeGreaterThan(3)
  }
  expect(await benchOk(['replay', 'run'], { cwd })).toContain('no divergence')
})

it('bench show reads a trial that has not ended from its steps and events, and says which it is', async () => {
  const { cwd } = await runOf('./states.mjs', 2)
  const text = await benchOk(['show', 'run', '--transitions', '--breaks'], { cwd })
  expect(text).toMatch(
    /^Trial [0-9a-f]{12}, answers\/ferry-morning, states, epoch 1, not ended yet, from its steps so far$/m,
  )
  expect(text).toMatch(/draft +1 .*success +audit +a done/)
  expect(text).toContain('- audit: the orchestrator sent the workflow to draft instead.')
  expect(text).toContain('- Break cycle, from audit to end: twice the same.')
  const { trials } = JSON.parse(await benchOk(['show', 'run', '--tokens', '--json'], { cwd }))
  expect(trials[0]).toMatchObject({
    task: 'answers/ferry-morning',
    method: 'states',
    epoch: 1,
    source: 'steps',
  })
  expect(trials[0].tokens.total.calls).toBe(2)
})

it('bench show says that a method without states has no transitions, and refuses flags that do not go together', async () => {
  const { cwd } = await runOf('baseline')
  const text = await benchOk(['show', 'run', '--transitions', '--breaks'], { cwd })
  expect(text).toMatchSnapshot()
  const tokens = await benchOk(['show', 'run', '--tokens'], { cwd })
  expect(tokens).toContain('solver, by simulated')
  expect(tokens).not.toContain('tokens by state')
})

it('bench show sums up the workflow in the story of a trial, without previews as `capture` says, and with them in full', async () => {
  const { cwd, trial } = await runOf('./states.mjs')
  const text = await benchOk(['show', 'run', trial], { cwd })
  expect(text).toContain('Workflow     post, 8 visits, ended in end; handed in drafts/a.md')
  expect(text).toContain(
    '  gate       check, by a: retry, 5 of 10; major: No numbers.; guidance: Add the numbers.',
  )
  expect(text).toContain('  agreement  clarity: mean 6.8 of 4 scores, spread 1.5, alpha 0.75, over 2 outputs')
  expect(text).toMatch(
    /output {5}drafts\/a\.md, by a in draft, 12 words: \(left out: capture\.previews is false\)/,
  )
  const full = await benchOk(['show', 'run', trial, '--full'], { cwd })
  expect(full).toContain('12 words: The first words of a')
  const report = await benchOk(['report', 'run'], { cwd })
  expect(report).toContain('Workflows: states')
  expect(report).toMatch(/states +a +simulated +.*1,000 \(set\)/)
  expect(report + (await benchOk(['report', 'run', '--format', 'json'], { cwd }))).not.toContain(
    'The first words',
  )

  expect(await benchOk(argv`show run --json`, { cwd })).not.toContain('The first words')
  await refused(argv`show run --full --breaks`, [/--full\] conflicts with --breaks/], {
    cwd,
  })
  await refused(['show', 'run', 'nope', '--breaks'], [/no record of a trial/], { cwd })
})

it('bench show filters the trials of a run, and shows one task under two methods', async () => {
  const cwd = tempFolder()
  const args = ['--tasks', 'ferry-morning,money-split', '--methods', 'baseline,consensus', '--epochs', '2']
  await benchOk([...args, '--quiet', '--out', 'run'], { cwd })
  const records = recordsOf(join(cwd, 'run'))
  const failed = records.filter(({ method, passed }) => method === 'baseline' && passed === false)
  const list = await benchOk(['show', 'run', '--failed', '--method', 'baseline'], { cwd })
  expect(list.match(/^ {2}[0-9a-f]{12} {2}baseline, .*not passed/gm) ?? []).toHaveLength(failed.length)
  expect(list).toContain('of 8 recorded trials')
  expect(list).not.toContain('consensus')

  const all = await benchOk(['show', 'run', '--task', 'ferry-morning', '--method', 'consensus'], { cwd })
  expect(all).toContain('2 of 8 recorded trials, the trials of consensus on answers/ferry-morning')

  const answers = await benchOk(argv`show run --task ferry-morning --methods baseline,consensus`, {
    cwd,
  })
  expect(answers).toMatch(/^Task answers\/ferry-morning: /)
  expect(answers.match(/^ +[12] {2}(baseline|consensus) +(not )?passed +/gm)).toHaveLength(4)
  expect(answers).toMatch(/Verdicts\n {2}baseline: /)
  const files = await benchOk(argv`show run --task code/money-split --methods consensus,baseline`, {
    cwd,
  })
  expect(files).toMatch(/\nFiles {3}- consensus {3}\+ baseline\n/)

  const nothing = ['show', 'run', '--methods', 'baseline,consesus', '--task', 'ferry-morning']
  await refused(nothing, ['Did you mean "consensus"?'], { cwd })
  const mixed = ['show', 'run', '--failed', '--method', 'x', '--tokens']
  await refused(mixed, ['[--failed] conflicts with --tokens'], { cwd })
})

/** Writes a method whose trials leave the steps, events and record of a workflow of states; returns its file. */
function writeMachineMethod(folder: string): string {
  const file = join(folder, 'states.mjs')
  writeFileSync(
    file,
    `import { defineStrategy, z } from 'orchestration-bench'

const machine = ${JSON.stringify(machineRecord())}

export default defineStrategy({
  name: 'states',
  summary: 'Goes through two states.',
  roles: { a: 'produce', b: 'judge' },
  options: z.strictObject({}),
  async run({ ask, checkpoint, label, note }) {
    const enter = async (state, visit) => {
      label({ state, visit })
      await checkpoint({ machine: { state, visit, transitions: 0 }, guidance: {} })
    }
    await enter('draft', 1)
    const answer = await ask('a', 'Write a draft.', { session: 'workflow' })
    note({ type: 'transition', from: 'draft', to: 'audit', result: 'success' })
    await enter('audit', 1)
    await ask('b', 'Judge the draft.')
    note({ type: 'transition', from: 'audit', to: 'end', result: 'success' })
    note({ type: 'circuit_break', rule: 'cycle', hard: false, fact: 'twice the same', from: 'audit', to: 'end' })
    note({ type: 'transition', from: 'audit', to: 'draft', result: 'retry_different' })
    await enter('draft', 2)
    await ask('a', 'Write it again.', { session: 'workflow' })
    return { answer, stopReason: 'done', state: { machine } }
  },
})
`,
  )
  return file
}
