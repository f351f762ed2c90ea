import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { AgentRequest } from '../../../src/agents/agent.ts'
import type { GraphStep } from '../../../src/graph.ts'
import { demos, runDemos } from '../../cli/run/demos-scenario.ts'
import { expectSame, replays, runInTwo, runOnce } from '../../cli/run/determinism-scenario.ts'
import { expectSameAtAnyTimes } from '../../helpers/graph/dynamic-graphs.ts'
import { randomDocument, randomDocumentOf } from '../../helpers/graph/random-documents.ts'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { benchOk, recordsOf } from '../../helpers/runs/cli.ts'
import { type AnyContext, agentOf, playTrial, type Setting, strategyOf } from '../../helpers/runs/trial.ts'

/** A step of a random graph. */
interface ShapedStep {
  id: string
  after: string[]
  /** What a failure of its agent means; undefined: its agent never fails. */
  fails?: 'fail' | 'skip' | 'continue'
}

/** A random graph, and how long the agent of each step takes; ms. */
interface RandomGraph {
  shape: ShapedStep[]
  times: number[]
}

const idOf = (i: number) => `s${String(i).padStart(3, '0')}`

/** Graphs of this many steps at most, of which each depends on at most four before it. One in `oneOf` fails by one of these policies. */
function randomGraphs(
  most: number,
  policies: readonly NonNullable<ShapedStep['fails']>[] = [],
  oneOf = 8,
): fc.Arbitrary<RandomGraph> {
  const step = fc.record({
    needs: fc.array(fc.nat(), { maxLength: 4 }),
    fault: fc.nat(oneOf * Math.max(policies.length, 1) - 1),
    time: fc.nat(20),
  })
  return fc.array(step, { minLength: 1, maxLength: most, size: 'max' }).map((all) => ({
    shape: all.map(({ needs, fault }, i) => ({
      id: idOf(i),
      after: [...new Set(i === 0 ? [] : needs.map((need) => idOf(need % i)))],
      fails: policies[fault],
    })),
    times: all.map(({ time }) => time),
  }))
}

/** A method whose steps ask for a text, with what they were given and the files that they see, and write it into a file of their own. */
const graphMethod = (shape: readonly ShapedStep[], concurrency: number) =>
  strategyOf(async (context: AnyContext) => {
    const results = await context.graph(shape.map(stepOf), { concurrency })
    const files = context.workspace.list().map((path) => `${path}: ${context.workspace.read(path)}`)
    return {
      stopReason: 'done',
      answer: '42',
      state: { results: [...results].map(([id, { status }]) => `${id} ${status}`).sort(), files },
    }
  })

const stepOf = ({ id, after, fails }: ShapedStep): GraphStep<AnyContext, string> => ({
  id,
  after,
  onFailure: fails,
  async run({ ask, workspace }, inputs) {
    const given = [...inputs].map(
      ([name, one]) => `${name}=${one.status === 'done' ? one.value : one.status}`,
    )
    const show = { given: given.join('; '), files: workspace.list().join(' ') }
    const reply = await ask('judge', `do ${id}`, { show })
    workspace.apply([{ path: `${id}.txt`, content: `${reply} after ${given.join('; ')}` }])
    return `${reply}`
  },
})

/** Says the name of the step, or fails where the graph says so. With `waits` it is paid and really takes a part of the step's time. */
const agentOfGraph = ({ shape, times }: RandomGraph, waits?: 'waits', onAsk?: (id: string) => void) => {
  const failing = new Set(shape.flatMap(({ id, fails }) => (fails ? [id] : [])))
  return agentOf(
    async ({ prompt }: AgentRequest) => {
      const id = /do (s\d+)/.exec(prompt)?.[1] ?? ''
      const durationMs = times[Number(id.slice(1))] ?? 0
      onAsk?.(id)
      if (waits) await setTimeout(durationMs / 4)
      if (!failing.has(id)) return { text: `said ${id}`, durationMs }
      return { text: '', durationMs, error: { reason: 'refusal', message: `${id} says nothing` } }
    },
    waits ? { paid: true } : {},
  )
}

type Played = Awaited<ReturnType<typeof playTrial>>

/** What the agents were asked, without when. */
const promptsOf = ({ steps }: Played) =>
  steps.flatMap((step) => (step.kind === 'ask' ? [`${step.key} ${step.prompt}`] : [])).sort()

/** The order in which steps ended, as the journal has it. */
const orderOf = ({ steps }: Played) => steps.flatMap((step) => (step.kind === 'graph' ? [step.step] : []))

/** When each step began and ended on the clock. */
const spansOf = ({ steps }: Played) =>
  new Map(
    steps.flatMap((step) =>
      step.kind === 'ask'
        ? [[step.key.slice(6, 10), { from: step.at, to: step.at + step.durationMs }] as const]
        : [],
    ),
  )

/** The record, but for what differs between equal trials. */
const withoutWall = ({ record: { wall: _, ...rest } }: Played) => rest

const most = 200
// Other graphs each night; a failure prints the seed.
const seed = Date.now() % 2 ** 31
const times = fc.array(fc.nat(50), { minLength: most, maxLength: most })
const concurrency = fc.integer({ min: 1, max: 16 })
const policies = ['fail', 'skip', 'continue'] as const

/** Answers nothing: a replay must not ask. */
const nobody = agentOf(() => 'never')

/** Plays a graph in a folder that the caller removes: thousands would fill a disk. */
const play = (graph: RandomGraph, most: number, more: Partial<Setting> = {}) =>
  playTrial({ agent: agentOfGraph(graph), strategy: graphMethod(graph.shape, most), ...more })

const remove = (...all: readonly Played[]) => {
  for (const { folder } of all) rmSync(folder, { recursive: true, force: true })
}

function mostAtOnce(spans: Iterable<{ from: number; to: number }>): number {
  // At one moment, steps end before others begin; a step that takes no time is beside none.
  const changes = [...spans].flatMap(({ from, to }) =>
    from < to
      ? [
          { at: from, by: 1 },
          { at: to, by: -1 },
        ]
      : [],
  )
  let now = 0
  let peak = 0
  for (const { by } of changes.sort((a, b) => a.at - b.at || a.by - b.by)) {
    now += by
    peak = Math.max(peak, now)
  }
  return peak
}

describe(`graphs of up to ${most} steps`, { timeout: 1_800_000 }, () => {
  it('give the same prompts, results and files at concurrency 1, 2, 4 and 16, with other reply times', async () => {
    const law = fc.asyncProperty(randomGraphs(most, ['skip', 'continue']), times, async (graph, others) => {
      const one = await play(graph, 1)
      expect(one.record.outcome.status).toBe('completed')
      for (const concurrency of [2, 4, 16]) {
        const other = await play({ ...graph, times: others.toSpliced(0, concurrency) }, concurrency)
        expect(promptsOf(other)).toEqual(promptsOf(one))
        expect(other.record.state).toEqual(one.record.state)
        remove(other)
      }
      remove(one)
    })
    await fc.assert(law, { numRuns: 300, seed })
  })

  it('that patterns add at run time are the same, with their prompts and files, at any times of replies', async () => {
    await expectSameAtAnyTimes(randomDocument, { numRuns: 300, seed })
    expect(await expectSameAtAnyTimes(randomDocumentOf(32), { numRuns: 60, seed })).toBeGreaterThan(most)
  })

  it('begin no step before those that it depends on, run no more than allowed at once, and replay', async () => {
    const law = fc.asyncProperty(randomGraphs(most, policies), concurrency, async (graph, concurrency) => {
      const played = await play(graph, concurrency)
      const spans = spansOf(played)
      for (const { id, after } of graph.shape)
        for (const need of after)
          expect(spans.get(id)?.from ?? Number.POSITIVE_INFINITY).toBeGreaterThanOrEqual(
            spans.get(need)?.to ?? 0,
          )
      expect(mostAtOnce(spans.values())).toBeLessThanOrEqual(concurrency)
      const again = await play(graph, concurrency)
      expect(again.steps).toEqual(played.steps)
      const replayed = await play(graph, concurrency, { agent: nobody, folder: played.folder, replay: true })
      expect(withoutWall(replayed)).toEqual(withoutWall(played))
      remove(played, again)
    })
    await fc.assert(law, { numRuns: 1000, seed })
  })

  it('replay a live trial in the order in which its steps really ended', async () => {
    const law = fc.asyncProperty(randomGraphs(most, policies), concurrency, async (graph, concurrency) => {
      const live = await play(graph, concurrency, { mode: 'live', agent: agentOfGraph(graph, 'waits') })
      const replay = { mode: 'live', agent: nobody, folder: live.folder, replay: true } as const
      const replayed = await play(graph, concurrency, replay)
      expect(withoutWall(replayed)).toEqual(withoutWall(live))
      expect(new Set(orderOf(live)).size).toBe(orderOf(live).length)
      remove(live)
    })
    await fc.assert(law, { numRuns: 200, seed })
  })

  it('resume a live trial that was interrupted, ask no answered step again, and replay', async () => {
    const law = fc.asyncProperty(
      randomGraphs(most, ['skip', 'continue']),
      concurrency,
      fc.nat(most),
      async (graph, concurrency, stopAfter) => {
        const abort = new AbortController()
        const folder = tempFolder()
        const before: string[] = []
        const agent = agentOfGraph(graph, 'waits', (id) => {
          before.push(id)
          if (before.length > stopAfter) abort.abort()
        })
        await play(graph, concurrency, { mode: 'live', folder, agent, signal: abort.signal }).catch(() => {})
        const resumed = await play(graph, concurrency, {
          mode: 'live',
          folder,
          agent: agentOfGraph(graph, 'waits'),
        })
        expect(resumed.record.outcome.status).toBe('completed')
        expect(resumed.steps.some(({ kind }) => kind === 'void')).toBe(false)
        expect(new Set(orderOf(resumed)).size).toBe(orderOf(resumed).length)
        const replay = { mode: 'live', agent: nobody, folder, replay: true } as const
        expect(withoutWall(await play(graph, concurrency, replay))).toEqual(withoutWall(resumed))
        remove(resumed)
      },
    )
    await fc.assert(law, { numRuns: 200, seed })
  })
})

it('every demo of a graph runs on every built-in task as declared, and replays', {
  timeout: 900_000,
}, async () => {
  const folder = join(tempFolder(), 'run')
  await runDemos('all', folder)
  expect(recordsOf(folder).length).toBeGreaterThan(20 * demos.length)
  await benchOk(['replay', folder])
})

it('records of graphs are byte-identical at parallel 1 and 8, stopped, killed and replayed', {
  timeout: 900_000,
}, async () => {
  const methods = 'dag:composition,dag:hierarchical,dag:planner_executor,dag:referee,dag:multi_step'
  const plan = ['--tasks', 'answers,line-patch', '--methods', methods, '--seed', '3']
  const one = await runOnce(plan, {}, '--parallel', '1')
  const eight = await runOnce(plan, {}, '--parallel', '8')
  expectSame(eight, one)
  expectSame(await runInTwo([...plan, '--parallel', '2'], 'SIGINT', eight), one)
  expectSame(await runInTwo([...plan, '--parallel', '2'], 'SIGKILL', eight), one)
  await replays(one, 20)
})
