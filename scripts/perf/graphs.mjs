// Measures what a graph of steps costs: with latencies beside bare promises, without beside fewer steps and LangGraph.js.
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import { shapes } from './graph/shapes.mjs'
import { bench, growth, inTurn, measure, pathOf, temporaryFolder } from './measure.mjs'
import { installedLanggraph, langgraphEnvironment, langgraphVersion } from './peers.mjs'
import { makeRow, missingRow } from './row.mjs'
import { checkLines, taskFolder } from './simulated-run.mjs'

// V8 still compiles during the first graphs: of a chain of 1,000 steps the second takes twice the CPU of the eighth.
const few = 4
const many = 8
const [small, large] = [100, 1_000]
/** As many steps as have time to run side by side, and as many as make six layers. */
const waiting = [
  ['fork-join', 32],
  ['layered', 60],
]
const whatOf = (shape) => `${shape} graph of ${large.toLocaleString('en-US')} steps, CPU`

/** Wall time of live trials whose agents take 20 to 200 ms; CPU of a further graph without latencies, by its size. */
export async function graphs(rounds) {
  return [...(await latencies(rounds)), ...(await sizes(rounds))]
}

async function latencies(rounds) {
  const subjects = waiting.flatMap(([shape, steps]) => [
    [`${shape} ours`, () => wallOfTrial(shape, steps)],
    [`${shape} floor`, () => wallOfWaits(shape, steps)],
  ])
  const samples = await inTurn(rounds, Object.fromEntries(subjects))
  return waiting.map(([shape, steps]) => {
    const what = `${shape} graph of ${steps} steps that take 20-200 ms, live, wall time`
    const [ours, floor] = [samples[`${shape} ours`], samples[`${shape} floor`]]
    return makeRow(what, 'ms', ours, 'bare promises', floor, { atMost: 1.05 })
  })
}

async function sizes(rounds) {
  const times = large / small
  const subjects = shapes.flatMap((shape) => [
    // As many steps on either side, so that both are as warm.
    ...pair(`${shape} small`, (count) => cpuOfTrials(shape, small, count * times)),
    ...pair(`${shape} large`, (count) => cpuOfTrials(shape, large, count)),
  ])
  const samples = await inTurn(rounds, Object.fromEntries(subjects))
  return shapes.map((shape) => {
    const ofSmall = grown(samples, `${shape} small`).map((cpu) => cpu / times)
    const against = `of ${small} steps`
    return makeRow(whatOf(shape), 'ms', grown(samples, `${shape} large`), against, ofSmall, { atMost: 12 })
  })
}

/** CPU of a further graph of 1,000 steps beside LangGraph.js, with a checkpointer in memory and without one. */
export async function langgraph(rounds) {
  const modules = installedLanggraph()
  if (!modules)
    return [missingRow('graphs, against LangGraph.js', 'get LangGraph.js with `npm run bench:peers`')]
  const subjects = shapes.flatMap((shape) => [
    ...pair(`${shape} ours`, (count) => cpuOfTrials(shape, large, count)),
    ...pair(`${shape} memory`, (count) => cpuOfLanggraph(modules, shape, 'memory', count)),
    ...pair(`${shape} none`, (count) => cpuOfLanggraph(modules, shape, 'none', count)),
  ])
  const samples = await inTurn(rounds, Object.fromEntries(subjects))
  const row = (shape, saver, words) => {
    const [ours, theirs] = [grown(samples, `${shape} ours`), grown(samples, `${shape} ${saver}`)]
    const against = `LangGraph.js ${langgraphVersion}, ${words}`
    return makeRow(whatOf(shape), 'ms', ours, against, theirs, { atLeast: 5 })
  }
  return shapes.flatMap((shape) => [
    row(shape, 'memory', 'MemorySaver'),
    row(shape, 'none', 'no checkpointer'),
  ])
}

const grown = (samples, name) => growth('cpuMs', samples[`${name} few`], samples[`${name} many`], many - few)

/** A subject once with few graphs and once with many: its growth leaves out what a process costs to start and to warm up. */
const pair = (name, measureCount) => [
  [`${name} few`, () => measureCount(few)],
  [`${name} many`, () => measureCount(many)],
]

/** The command line that runs a graph in so many trials, one after another, each step beside all others that may run. */
function command(shape, steps, trials, out) {
  const method = `g=${pathOf('graph/method.mjs')}[shape=${shape},steps=${steps}]`
  const plan = ['--tasks', `native:${taskFolder()}`, '--methods', method, '--epochs', String(trials)]
  const agents = ['--agents', `scripted:${pathOf('graph/agent.mjs')}`]
  return [bench, ...plan, ...agents, '--parallel', '1', '--limit', 'calls=none', '--out', out]
}

async function cpuOfTrials(shape, steps, trials) {
  const out = join(temporaryFolder(), 'run')
  const sample = await measure({ args: command(shape, steps, trials, out) })
  checkRecords(out, trials)
  rmSync(out, { recursive: true })
  return sample
}

async function cpuOfLanggraph(modules, shape, saver, times) {
  const args = [pathOf('graph/langgraph.mjs'), modules, shape, String(large), String(times), saver]
  return measure({ args, env: langgraphEnvironment })
}

/** Milliseconds from the begin of a live trial to its graded record. The first trial of a process, slower, is left out. */
async function wallOfTrial(shape, steps) {
  const out = join(temporaryFolder(), 'run')
  const args = [...command(shape, steps, 2, out), '--mode', 'live', '--allow-unsandboxed']
  await execa(process.execPath, args, { env: { PERF_LATENCIES: '1' }, stdin: 'ignore' })
  return checkRecords(out, 2)[1].wall.ms
}

async function wallOfWaits(shape, steps) {
  const { stdout } = await execa(process.execPath, [pathOf('graph/waits.mjs'), shape, String(steps)])
  return Number(stdout)
}

/** Returns the records of a run in which every trial passed; a graph that did less measures nothing. */
function checkRecords(out, trials) {
  const path = join(out, 'records.jsonl')
  checkLines(path, trials)
  const records = readFileSync(path, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  const passed = records.filter((record) => record.passed).length
  if (passed !== trials) throw new Error(`${passed} of ${trials} trials passed`)
  return records
}
