// Measures the import of eight submissions on 500 tasks, as runs of Terminal-Bench and as logs of Inspect AI with transcripts, against parsing
// their files with JSON.parse.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { bench, each, inTurn, measure, pathOf, temporaryFolder } from './measure.mjs'
import { makeRow } from './row.mjs'

const [submissions, tasks] = [8, 500]

export async function importing(rounds) {
  const rows = []
  for (const [name, write] of Object.entries({ 'Terminal-Bench': terminalBench, 'Inspect AI': inspect })) {
    const files = Array.from({ length: submissions }, (_, place) => write(temporaryFolder(), place))
    const { ours, parsing, node } = await inTurn(rounds, {
      ours: () => measure({ args: [bench, 'import', ...files, '--out', join(temporaryFolder(), 'run')] }),
      parsing: () => measure({ args: [pathOf('parse-files.mjs'), ...files] }),
      node: () => measure({ args: [pathOf('parse-files.mjs')] }),
    })
    const what = `an import of ${submissions} x ${tasks} trials of ${name}`
    // The start of Node is in both, and parses nothing.
    const parsed = parsing.map(({ cpuMs }, round) => cpuMs - node[round].cpuMs)
    rows.push(
      makeRow(`${what}, CPU`, 'ms', each('cpuMs', ours), 'JSON.parse of its files', parsed, { atMost: 10 }),
      makeRow(`${what}, peak`, 'MiB', each('peakMiB', ours), 'Node', each('peakMiB', node), { atMost: 8 }),
    )
  }
  return rows
}

const passed = (task, place) => (task * 7 + place * 3) % 5 < 2
const words = (count) => 'The quick brown fox jumps over the lazy dog. '.repeat(count)
const each500 = (of) => Array.from({ length: tasks }, (_, task) => of(task))

function terminalBench(folder, place) {
  const path = join(folder, `agent-${place}`, 'run-1', 'results.json')
  const results = each500((task) => ({
    ...{ trial_name: `task-${task}.1-of-1.run-1`, task_id: `task-${task}`, instruction: words(10) },
    ...{ is_resolved: passed(task, place), failure_mode: 'unset', total_input_tokens: 100 * task },
    ...{ total_output_tokens: task, agent_started_at: '2026-01-01T00:00:10Z' },
    ...{ agent_ended_at: '2026-01-01T00:04:00Z', parser_results: { test_1: 'passed', test_2: 'passed' } },
  }))
  mkdirSync(join(path, '..'), { recursive: true })
  writeFileSync(path, JSON.stringify({ results }, null, 2))
  return path
}

function inspect(folder, place) {
  const turn = (task, number) => [
    { id: `a${task}-${number}`, role: 'assistant', content: words(15), tool_calls: [call(number)] },
    {
      id: `r${task}-${number}`,
      role: 'tool',
      tool_call_id: `t${number}`,
      function: 'bash',
      content: words(25),
    },
  ]
  const call = (number) => ({ id: `t${number}`, function: 'bash', arguments: { cmd: 'ls' } })
  const samples = each500((task) => ({
    ...{ id: task, epoch: 1, input: `Task ${task}`, target: 'x', total_time: 3 },
    messages: [{ role: 'user', content: words(20) }, ...[1, 2, 3, 4].flatMap((number) => turn(task, number))],
    output: { completion: 'Done.' },
    scores: { match: { value: passed(task, place) ? 'C' : 'I' } },
    model_usage: { m: { input_tokens: 1000, output_tokens: 100, total_tokens: 1100 } },
  }))
  const header = { task: 'sums', model: `vendor/m-${place}`, run_id: `r${place}` }
  const path = join(folder, 'log.json')
  const log = {
    version: 2,
    status: 'success',
    eval: header,
    results: { scores: [{ name: 'match' }] },
    samples,
  }
  writeFileSync(path, JSON.stringify(log, null, 2))
  return path
}
