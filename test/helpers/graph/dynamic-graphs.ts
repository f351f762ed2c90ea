import { rmSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import fc from 'fast-check'
import { expect } from 'vitest'
import type { AgentRequest } from '../../../src/agents/agent.ts'
import { seededRandom } from '../../../src/base/random.ts'
import { filesOf } from '../../../src/loop/branch/workspace.ts'
import { type GraphPlan, GraphRecord, type PlanStep, type PlanWork } from '../../../src/schema/graph/plan.ts'
import type { ToolCall } from '../../../src/schema/tool/tool-call.ts'
import { sha256 } from '../../../src/text/canonical-json.ts'
import { dag } from '../../../strategies/dag.ts'
import { agentOf, answerTask, playTrial } from '../runs/trial.ts'
import { planOf } from './documents.ts'
import { nobody, withoutWall } from './graphs.ts'
import { planTools } from './plan-tools.ts'

/** How a document is played: `seed` decides what the agents say, `shuffle` how long they take. */
interface Playing {
  concurrency: number
  seed: number
  shuffle: number
  mode: 'dev' | 'live'
}

const lines = Array.from({ length: 9 }, (_, i) => `line ${i}`)

/** What a step says: parts of its work, tasks, a choice, or files of its own and one that all change. One in 6 says nothing. */
function replyOf(seed: number, key: string, prompt: string): string {
  const random = seededRandom(`${seed} ${key}`)
  const many = (most: number) => Array.from({ length: Math.floor(random() * (most + 1)) }, (_, i) => i)
  const pick = <Item>(items: readonly Item[]) => items[Math.floor(random() * items.length)] as Item
  if (random() < 1 / 6) return ''
  if (prompt.includes('List the steps of the work'))
    // The same part may come twice, and more of them than may be.
    return JSON.stringify({ steps: ['first', ...many(5).map(() => `part ${pick([1, 2, 3])}`)] })
  if (prompt.includes('Give tasks to the workers below')) {
    const [, known = ''] = /## workers\n([\s\S]*?)(?:\n\n|$)/.exec(prompt) ?? []
    const names = known.split('\n').map((line) => line.split(':')[0])
    return JSON.stringify({ tasks: many(5).map((i) => ({ worker: pick(names), do: `task ${i}` })) })
  }
  if (prompt.includes('Name the best of the candidates')) {
    const letters = [...prompt.matchAll(/## candidate (\w)/g)].map(([, letter]) => letter)
    return JSON.stringify({ winner: pick(letters), reason: `for ${sha256(prompt)}` })
  }
  const read = sha256(prompt).slice(0, 12)
  const shared = lines.map((line, i) => (i === Math.floor(random() * 9) ? `${line} by ${read}` : line))
  const file = (path: string, text: string) => `FILE: ${path}\n\`\`\`\n${text}\n\`\`\`\n`
  const own = file(`${sha256(key).slice(0, 8)}.txt`, read)
  return `${random() < 0.7 ? own : ''}${random() < 0.3 ? file('shared.txt', shared.join('\n')) : ''}read ${read}`
}

/** What a step calls in its first turn: it takes a note, recalls what is known, and writes a file. */
function callsOf(seed: number, { tools, trial }: AgentRequest): ToolCall[] {
  if (!tools || tools.turns.length > 0) return []
  const random = seededRandom(`calls ${seed} ${trial.key}`)
  const path = `${sha256(trial.key).slice(0, 6)}-tool.txt`
  const calls: [string, object][] = [
    ['memory_recall', { query: 'note' }],
    ['memory_store', { title: 'note', text: `note of ${trial.key}` }],
    ['write', { path, content: trial.key }],
  ]
  return calls
    .filter(([name]) => random() < 0.6 && tools.definitions.some((one) => one.name === name))
    .map(([name, args], i) => ({ id: `${i}`, name, arguments: JSON.stringify(args) }))
}

/** Of no step a failure ends the graph, and none has a time: these alone may depend on the order in which steps end. */
const settled = <Work extends PlanWork>({ timeout_ms: _, ...work }: Work): PlanWork => ({
  ...work,
  on_failure: work.on_failure === 'fail' ? (work.agent === 'other' ? 'skip' : 'continue') : work.on_failure,
})

function settledStep(step: PlanStep): PlanStep {
  const { does } = step
  const inner =
    does?.kind === 'plan'
      ? { ...does, executor: settled(does.executor) }
      : does?.kind === 'assign'
        ? {
            ...does,
            boss: settled(does.boss),
            workers: Object.fromEntries(
              Object.entries(does.workers).map(([id, work]) => [id, settled(work)]),
            ),
          }
        : does
  return { ...settled(step), ...(inner && { does: inner }) } as PlanStep
}

/** Plays a document; returns all that must not depend on concurrency or on how long replies take. */
async function playDocument(document: unknown, { concurrency, seed, shuffle, mode }: Playing) {
  const { steps, ...rest } = planOf(JSON.stringify(document))
  const plan: GraphPlan = { ...rest, steps: steps.map(settledStep), max_concurrency: concurrency }
  const agent = agentOf(
    async (request) => {
      const { trial, prompt, tools } = request
      const ms = Math.floor(seededRandom(`${shuffle} ${trial.key}`)() * 40)
      if (mode === 'live') await setTimeout(ms / 10)
      const toolCalls = callsOf(seed, request)
      if (toolCalls.length > 0) return { toolCalls, durationMs: ms }
      // What tools gave goes into the reply, and so into the prompts of later steps.
      const found = JSON.stringify(tools?.turns.map(({ results }) => results) ?? [])
      return { text: replyOf(seed, trial.key, prompt + found), durationMs: ms }
    },
    { paid: mode === 'live', tools: 'called' },
  )
  const task = answerTask({ output: 'files', editable: ['**'] }, { 'shared.txt': lines.join('\n') })
  const options = { workflow: 'random', plan }
  const setting = { agent, strategy: dag, options, tools: planTools(plan), task, mode }
  const played = await playTrial(setting)
  const { state, claimed, detail, outcome } = played.record
  const { calls, input, output } = played.record.spent
  const prompts = played.steps.flatMap((step) =>
    step.kind === 'ask' ? [`${step.key} ${step.attempt} ${step.prompt}`] : [],
  )
  const { answer } = played.branch.state
  const same = {
    ...{ state, claimed, detail, outcome, calls, input, output, answer, prompts: prompts.sort() },
    files: filesOf(played.branch.state),
  }
  return { setting, played, same, size: GraphRecord.safeParse(state?.graph).data?.steps.length ?? 0 }
}

/**
 * Proves that documents give the same expanded plan, prompts, answer, bill and files at concurrency 1, 2, 4 and 16, at any times
 * of replies, in dev mode and in live mode, and that they replay. Returns the most steps that a plan came to.
 */
export async function expectSameAtAnyTimes(
  documents: fc.Arbitrary<object>,
  parameters: { numRuns: number; seed?: number },
): Promise<number> {
  let most = 0
  const law = fc.asyncProperty(
    documents,
    fc.nat(),
    fc.infiniteStream(fc.nat()),
    async (document, seed, drawn) => {
      const play = (concurrency: number, mode: 'dev' | 'live') =>
        playDocument(document, { concurrency, seed, shuffle: drawn.next().value, mode })
      const first = await play(4, 'dev')
      most = Math.max(most, first.size)
      for (const concurrency of [1, 2, 16]) {
        const { same, played } = await play(concurrency, 'dev')
        expect(same).toEqual(first.same)
        rmSync(played.folder, { recursive: true })
      }
      const { same, setting, played } = await play(4, 'live')
      expect(same).toEqual(first.same)
      const { folder } = played
      const replayed = await playTrial({
        ...setting,
        agent: { ...nobody, tools: 'called' },
        folder,
        replay: true,
      })
      expect(replayed.divergences).toEqual([])
      expect(withoutWall(replayed)).toEqual(withoutWall(played))
      for (const one of [first.played, played]) rmSync(one.folder, { recursive: true })
    },
  )
  await fc.assert(law, parameters)
  return most
}
