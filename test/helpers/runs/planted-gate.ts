import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { vi } from 'vitest'
import { addTimesum } from '../../../src/loop/journal/checksum.ts'
import type { TrialRecord } from '../../../src/schema/ledger/record.ts'
import type { RunManifest } from '../../../src/schema/run/run.ts'
import { aRecord } from '../../analysis/records.ts'
import { manifest } from './run-files.ts'

/** How the trials of a method come out: for each count of tasks, the marks of its epochs (`1` passed, `0` failed, `-` missing). */
export interface PlantedMethod {
  /** Such as `40x1 10x0`, or `30x110`. */
  tasks: string
  /** Dollars of each trial. */
  costs?: number
  suite?: string
  /** Label of the set of agents. */
  set?: string
  /** The models that answered as `test:model`, one trial after the other. */
  served?: readonly string[]
}

/** Writes the folder of a live run with these methods. */
export function writePlantedRun(
  folder: string,
  methods: Readonly<Record<string, PlantedMethod>>,
  changes: Partial<RunManifest> = {},
): void {
  const records = Object.entries(methods).flatMap(([method, planted]) =>
    recordsOf(method, planted, folder, changes),
  )
  const refs = [...new Set(records.map(({ task }) => task))]
  const epochs = Math.max(...records.map(({ epoch }) => epoch))
  const file: RunManifest = {
    ...manifest,
    epochs,
    tasks: refs.map((ref) => ({ ref, digest: 'd4'.repeat(32) })),
    methods: Object.keys(methods).map((label) => ({ ...manifest.methods[0], label }) as never),
    harness: { graders: 'a1'.repeat(32), code: 'a2'.repeat(32) },
    trials: records.length,
    ...changes,
  }
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'run.json'), JSON.stringify(file))
  writeFileSync(join(folder, 'steps.jsonl'), '')
  const lines = records.map((record) => `${addTimesum(JSON.stringify(record), '}}')}\n`)
  writeFileSync(join(folder, 'records.jsonl'), lines.join(''))
}

function recordsOf(
  method: string,
  { tasks, costs = 0.1, suite = 's', set, served = [] }: PlantedMethod,
  run: string,
  { simulated = false }: Partial<RunManifest>,
): TrialRecord[] {
  const rows = tasks.split(/\s+/).flatMap((part) => {
    const [count, marks = ''] = part.split('x')
    return Array.from({ length: Number(count) }, () => marks)
  })
  return rows.flatMap((marks, index) => {
    const task = `${suite}/${String(index).padStart(4, '0')}`
    // Costs differ from task to task, and those of other costs in another order.
    const ofTask = 1 + 0.3 * ((index * 7) % 5)
    const costUsd = costs * ofTask * (1 + 0.02 * ((index * Math.round(100 * costs)) % 3))
    return [...marks].map((mark, place) => {
      const { wall: _, ...record } = aRecord({
        ...{ trial: `${run}|${method}|${index}|${place}`, task, suite, method, epoch: place + 1 },
        ...{ simulated, spent: { costUsd }, ...(set !== undefined && { agentSet: set }) },
        ...(mark === '-' ? { status: 'error' as const } : { passed: mark === '1' }),
      })
      const model = served[index % served.length]
      const answered = model === undefined ? {} : { served: [{ agent: 'test:model', model, calls: 1 }] }
      // The checksum is the last field of the last field.
      return {
        ...record,
        ...answered,
        wall: { startedAt: '2026-01-01T00:00:00.000Z', ms: 1, steps: 0, stepsSum: '0' },
      }
    })
  })
}

/** Calls a command in this process; gives its exit code, or the user's mistakes, and what it printed. */
export async function callHere(command: () => Promise<number>) {
  const [out, err]: [string[], string[]] = [[], []]
  const spies = [
    vi.spyOn(process.stdout, 'write').mockImplementation((text) => out.push(String(text)) > 0),
    vi.spyOn(process.stderr, 'write').mockImplementation((text) => err.push(String(text)) > 0),
  ]
  try {
    return { code: await command(), stdout: out.join(''), stderr: err.join('') }
  } finally {
    for (const spy of spies) spy.mockRestore()
  }
}
