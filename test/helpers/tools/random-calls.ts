import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { AgentRequest } from '../../../src/agents/agent.ts'
import { type Random, seededRandom } from '../../../src/base/random.ts'
import type { TrialRecord } from '../../../src/schema/ledger/record.ts'
import type { Step } from '../../../src/schema/ledger/step.ts'
import { canonicalJson, sha256 } from '../../../src/text/canonical-json.ts'
import { agentThatCalls, type ScriptedCall, type ScriptedTurn, toolsOf } from '../agents/agent-that-calls.ts'
import { tempFolder } from '../machine/temp.ts'
import { type AnyContext, answerTask, playTrial, strategyOf } from '../runs/trial.ts'

const memo = 'the gate opens at nine\n'

/** The tools of these trials: all of the workspace, and a memory with a file. */
const randomTools = toolsOf(
  {
    workspace: { kind: 'workspace', allow: ['read', 'list', 'write', 'check'] },
    memory: { kind: 'memory', file: { path: 'memo.txt', digest: sha256(memo) } },
  },
  { given: ['workspace'], turns: 5 },
)

const pick = <T>(items: readonly T[], random: Random) => items[Math.floor(random() * items.length)] as T

const calls: readonly ((random: Random) => ScriptedCall)[] = [
  () => ['list'],
  (random) => ['read', { path: pick(['a.txt', 'b.txt', 'src/c.txt', '../x', 'none.txt'], random) }],
  (random) => ['write', { path: pick(['b.txt', 'src/c.txt', 'd.txt'], random), content: `${random()}\n` }],
  () => ['write', { path: 'a.txt', delete: true }],
  () => ['check'],
  () => ['read', '{"path":'],
  () => ['run', { command: 'ls' }],
  (random) => ['memory_store', { title: pick(['one', 'two'], random), text: `found ${random()}` }],
  () => ['memory_recall', { query: 'gate found' }],
]

/** What an agent does in a turn: it depends on the turn's key alone, so that it is the same in each session. */
function turnOf(seed: number, { trial, tools }: AgentRequest): ScriptedTurn {
  const random = seededRandom(`${seed}/${trial.key}`)
  const durationMs = Math.floor(random() * 1000)
  if (tools?.mustAnswer || random() < 0.3)
    return { text: random() < 0.1 ? '' : `Answer: ${random() < 0.5 ? 42 : 7}`, durationMs }
  const count = 1 + Math.floor(random() * 3)
  return Array.from({ length: count }, () => pick(calls, random)(random))
}

/** Returns a trial whose agents call tools at random: one after another, in branches, in a `first` and in a graph. */
function randomTrial(seed: number) {
  const agent = agentThatCalls((request) => turnOf(seed, request), { paid: true, virtualTime: true })
  const asking =
    (...names: string[]) =>
    async ({ ask, workspace }: Pick<AnyContext, 'ask' | 'workspace'>) => {
      for (const name of names) await ask('solver', name, { tools: ['memory'] }).catch(() => {})
      return workspace.diff()
    }
  const strategy = strategyOf(async (context) => {
    const { branch, first, graph } = context
    await asking('alone')(context)
    await Promise.all([branch('left', asking('l1', 'l2')), branch('right', asking('r1'))])
    await first({ fast: asking('f1'), slow: asking('s1', 's2') }).catch(() => {})
    await graph(
      [
        { id: 'one', after: [], run: asking('g1') },
        { id: 'two', after: [], run: asking('g2') },
        { id: 'three', after: ['one', 'two'], run: asking('g3') },
      ],
      { concurrency: 2, conflict: 'last' },
    ).catch(() => {})
    await asking('end')(context)
    return { stopReason: 'done' }
  })
  const task = answerTask({}, { 'a.txt': 'alpha\n', 'b.txt': 'beta\n', 'src/c.txt': 'gamma\n' })
  const toolFiles = new Map([[sha256(memo), memo]])
  return { agent, strategy, task, tools: randomTools, toolFiles }
}

/** Returns what equal trials have in common, as text. */
export const plainRecord = ({ wall: _, ...record }: TrialRecord) =>
  canonicalJson(JSON.parse(JSON.stringify(record)))

/** Plays a random trial once and replays it some times: each record must be the same, and nothing is asked. */
export async function assertReplays(seed: number, times: number): Promise<void> {
  const { record, folder } = await playTrial(randomTrial(seed))
  expect(record.outcome.status).toBe('completed')
  expect(record.tools?.calls).toBeGreaterThan(0)
  for (let time = 1; time <= times; time++) {
    const trial = randomTrial(seed)
    const { toolFiles: _, ...rest } = trial
    const again = await playTrial({ ...rest, folder, replay: true })
    expect(again.divergences).toEqual([])
    expect(plainRecord(again.record)).toBe(plainRecord(record))
    expect(trial.agent.requests).toEqual([])
  }
}

/** Asserts that a trial goes on from chosen cuts of its ledger to the same record, and asks no finished turn again. */
export async function assertResumesFrom(seed: number, chosen: (cut: number) => boolean): Promise<void> {
  const { record, folder } = await playTrial(randomTrial(seed))
  const lines = readFileSync(join(folder, 'steps.jsonl'), 'utf8').split('\n').filter(Boolean)
  for (let cut = 0; cut < lines.length; cut++) {
    if (!chosen(cut)) continue
    const trial = randomTrial(seed)
    const again = await playTrial({ ...trial, folder: cutAfter(folder, cut) })
    expect(again.divergences).toEqual([])
    expect(plainRecord(again.record)).toBe(plainRecord(record))
    const asked = trial.agent.requests.map(({ trial: { key }, attempt }) => `${key}/${attempt}`)
    const finished = new Set(paidTurns(lines.slice(0, cut)))
    expect(asked.filter((turn) => finished.has(turn))).toEqual([])
  }
}

const paidTurns = (lines: readonly string[]) =>
  lines
    .map((line) => JSON.parse(line) as Step)
    .filter(({ kind, payer }) => kind === 'ask' && payer === 'method')
    .map(({ key, attempt }) => `${key}/${attempt}`)

/** Returns a copy of a run folder whose ledger ends after so many lines. */
export function cutAfter(folder: string, lines: number): string {
  const copy = tempFolder()
  cpSync(folder, copy, { recursive: true })
  const path = join(copy, 'steps.jsonl')
  const whole = readFileSync(path, 'utf8').split('\n').slice(0, lines)
  writeFileSync(path, whole.map((line) => `${line}\n`).join(''))
  return copy
}
