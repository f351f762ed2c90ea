import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { expect, it } from 'vitest'
import { readInterimLooks } from '../../../src/loop/record/interim-looks.ts'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { openBenchMcp } from '../../helpers/mcp/bench-client.ts'
import { argv } from '../../helpers/runs/argv.ts'
import { bench, benchOk, recordsOf, root } from '../../helpers/runs/cli.ts'

const env = { COLUMNS: '120' }

it('a client reads what the command line prints: runs, reports, comparisons, trials, states, methods and tasks', async () => {
  const cwd = tempFolder()
  for (const run of ['first', 'second'])
    await benchOk(
      argv`--tasks ferry-morning,duration-text --methods baseline,sequential --out results/${run} --quiet`,
      { cwd },
    )
  const { client, call, read } = await openBenchMcp(cwd)
  const { tools } = await client.listTools()
  expect(tools.filter(({ annotations }) => !annotations?.readOnlyHint).map(({ name }) => name)).toEqual([
    'peek',
    'start_run',
    'stop_run',
  ])
  const listed = JSON.parse((await call('list_runs')).text)
  expect(listed).toMatchObject({ count: 2, runs: [{ run: 'second', state: 'whole' }, { run: 'first' }] })
  expect(JSON.parse((await call('list_runs', { offset: 1, limit: 1 })).text).runs).toHaveLength(1)
  expect((await call('progress', { run: 'first' })).text).toMatch(/^whole: 4 of 4 trials have ended, \$/)

  const printed = async (...args: string[]) => (await benchOk(args, { cwd, env })).trim()
  const said = async (name: string, args: Record<string, unknown> = {}) =>
    (await call(name, args)).text.trim()
  const path = 'results/first'
  expect(await said('summary', { run: 'first' })).toBe(await printed('report', path, '--section', 'screen'))
  expect(await said('report', { run: 'results/first', format: 'csv' })).toBe(
    await printed('report', path, '--format', 'csv'),
  )
  expect(
    await said('compare', { run: 'first', method_a: 'baseline', run_b: 'second', method_b: 'sequential' }),
  ).toBe(await printed('compare', `${path}:baseline`, 'results/second:sequential'))
  const [{ trial } = { trial: '' }] = recordsOf(join(cwd, path))
  expect(await said('show_trial', { run: 'first', trial: trial.slice(0, 12) })).toBe(
    await printed('show', path, trial, '--no-answers'),
  )
  const page = JSON.parse(await said('list_trials', { run: 'first', method: 'baseline', limit: 1 }))
  expect(page).toMatchObject({ count: 2, next_offset: 1 })
  expect(page.trials).toHaveLength(1)
  expect(await said('method_state', { run: 'first' })).toBe(await printed('state', path))
  expect(await said('list_methods')).toBe(await printed('methods'))
  expect(await said('list_tasks', { selection: 'answers' })).toBe(await printed('tasks', 'list', 'answers'))

  expect((await client.listResources()).resources.map(({ uri }) => uri)).toContain(
    'bench://runs/first/report.md',
  )
  expect((await read('bench://runs/first/report.md')).trim()).toBe(
    await printed('report', path, '--format', 'markdown'),
  )
  expect(await read(`bench://runs/first/trials/${trial}`)).toContain(`Trial ${trial}`)
})

it('no tool and no resource tells right answers or hidden tests', async () => {
  const cwd = tempFolder()
  const run = join(cwd, 'results/run')
  // It hands in nothing, so that whatever is right can come from the task alone.
  await bench(
    argv`--tasks ferry-morning,word-rewriting,duration-text,money-split --methods baseline --agents no-op --out ${run} --quiet`,
    { cwd },
  )
  const { call, read } = await openBenchMcp(cwd)
  const texts = [(await call('report', { run: 'run' })).text]
  for (const { trial } of recordsOf(run)) {
    texts.push((await call('show_trial', { run: 'run', trial, full: true })).text)
    texts.push(await read(`bench://runs/run/trials/${trial}`))
  }
  const all = texts.join('\n')
  expect(all).not.toMatch(/^Right answer/im)
  for (const task of ['duration-text', 'money-split']) {
    const { hidden, visible } = linesOf(join(root, 'tasks/code', task))
    expect(hidden.length).toBeGreaterThan(10)
    for (const line of hidden) if (!visible.includes(line)) expect(all, line).not.toContain(line)
  }
})

/** The longer lines of a task's hidden tests and solution, and all text that agents may see. */
function linesOf(task: string) {
  const files = readdirSync(task, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const texts = files.map(({ parentPath, name }) => ({
    isHidden: /^(?:tests|solution)\b/.test(relative(task, parentPath)),
    text: readFileSync(join(parentPath, name), 'utf8'),
  }))
  const textOf = (hidden: boolean) =>
    texts.flatMap(({ isHidden, text }) => (isHidden === hidden ? [text] : [])).join('\n')
  const lines = textOf(true)
    .split('\n')
    .map((line) => line.trim())
  return { hidden: lines.filter((line) => line.length > 40), visible: textOf(false) }
}

it('a live run that is not whole tells progress and spend until a look, which is noted', async () => {
  const cwd = tempFolder()
  const worker = join(root, 'fixtures/agents/paid-worker.mjs')
  const run = join(cwd, 'results/run')
  await bench(
    argv`--mode live --agents scripted:${worker} --tasks answers --methods baseline,retry --max-calls 5 --out ${run} --quiet`,
    { cwd },
  )
  const { call, read } = await openBenchMcp(cwd)
  const [{ trial } = { trial: '' }] = recordsOf(run)
  const shut = [
    ['summary', {}],
    ['report', { format: 'json' }],
    ['compare', { method_a: 'baseline', method_b: 'retry' }],
    ['list_trials', {}],
    ['show_trial', { trial }],
  ] as const
  for (const [name, args] of shut) {
    const { text, isError } = await call(name, { run: 'run', ...args })
    expect([name, isError]).toEqual([name, true])
    expect(text).toMatch(/is not whole: \d+ of 16 trials have ended, .*\$[\d.]+ spent/)
    expect(text).not.toMatch(/passes|success \d|%/)
  }
  await expect(read('bench://runs/run/report.md')).rejects.toThrow('is not whole')
  expect((await call('progress', { run: 'run' })).text).toMatch(/^stopped by a limit: \d+ of 16 trials/)
  expect(readInterimLooks(run)).toEqual([])

  expect((await call('peek', { run: 'run' })).isError).toBe(false)
  expect((await call('summary', { run: 'run' })).isError).toBe(false)
  expect((await call('list_trials', { run: 'run' })).isError).toBe(false)
  expect(readInterimLooks(run).map(({ command }) => command)).toEqual(['bench mcp', 'bench report'])
})

it('only with --control a client sets the state of a stopped trial, which the resumed run uses', async () => {
  const cwd = tempFolder()
  const run = join(cwd, 'results/run')
  const worker = join(root, 'fixtures/agents/paid-worker.mjs')
  writeFileSync(join(cwd, 'none.txt'), '')
  await bench(
    argv`--mode live --agents scripted:${worker} --tasks ferry-morning --methods sequential[maxOuter=2,maxInner=2] --max-calls 5 --out ${run} --quiet`,
    { cwd },
  )
  const locked = await openBenchMcp(cwd)
  const fields = { feedback: 'Handle "negatives".' }
  const [line = '{}'] = (await locked.call('method_state', { run: 'run' })).text.split('\n')
  const { trial } = JSON.parse(line)
  await expect(locked.call('set_state', { run: 'run', trial, fields })).rejects.toThrow(/set_state/)

  const { call } = await openBenchMcp(cwd, ['--control'])
  expect((await call('set_state', { run: 'run', trial, fields })).isError).toBe(false)
  expect(JSON.parse((await call('method_state', { run: 'run', trial })).text)).toMatchObject(fields)
  expect((await call('set_state', { run: 'run', trial: `--set=${trial}`, fields })).isError).toBe(true)
})
