import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { benchOk, recordsOf, root } from '../../helpers/runs/cli.ts'

/** The documents that come with dag as methods, and the other workflow of one that has two. */
export const demos = [
  ...readdirSync(join(root, 'strategies/dag')).map((file) => `dag:${file.replace('.yaml', '')}`),
  'dag:primitives-workflows#thorough',
]

/** Runs every demo on these tasks in dev mode: each trial ends as declared. */
export async function runDemos(tasks: string, folder: string): Promise<void> {
  await benchOk(['--tasks', tasks, '--methods', demos.join(), '--quiet', '--out', folder])
  const records = recordsOf(folder)
  expect(new Set(records.map(({ method }) => method)).size).toBe(demos.length)
  for (const { method, task, outcome, fidelity, claimed, detail = '', unused } of records) {
    // Simulated agents fail now and then by their profile, and some hand in nothing.
    const isRefused =
      outcome.status === 'failed' && /^(refusal|unparsable|empty|context-overflow): /.test(outcome.reason)
    const isTold = /^(went on without|step .+ failed|nothing was handed in)/.test(detail)
    const isKnown = isRefused || (outcome.status === 'completed' && (claimed === 'done' || isTold))
    expect([method, task, fidelity, unused, isKnown || [outcome, claimed, detail]]).toEqual([
      ...[method, task, { status: 'kept' }, undefined, true],
    ])
  }
}
