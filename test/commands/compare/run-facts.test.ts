import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { runFacts } from '../../../src/commands/compare/run-facts.ts'
import { sourceNotes } from '../../../src/reports/comparison/run-notes.ts'
import type { RunManifest } from '../../../src/schema/run/run.ts'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { manifest } from '../../helpers/runs/run-files.ts'

/** The note of a run with such a manifest and sessions. */
function noteOf(changes: Partial<RunManifest>, ...sessions: object[]): string {
  const folder = join(tempFolder(), 'run')
  mkdirSync(folder)
  for (const file of ['records.jsonl', 'steps.jsonl']) writeFileSync(join(folder, file), '')
  const begun = sessions.map((session) => ({
    ...{ type: 'begin', startedAt: '2026-01-01T00:00:00.000Z', parallel: 4 },
    ...{ budgets: { run: {}, methods: {} }, ...session },
  }))
  const ended = { type: 'end', ms: 1, reason: 'whole', limits: [] }
  const lines = begun.flatMap((line) => [line, ended].map((one) => `${JSON.stringify(one)}\n`))
  writeFileSync(join(folder, 'sessions.jsonl'), lines.join(''))
  const facts = runFacts(folder, { ...manifest, ...changes }, 2)
  return sourceNotes({ runs: [facts], stated: 'plan', looks: [], differing: [], command: '' })
    .map(({ text }) => text)
    .join(' ')
}

const digests = { graders: 'a'.repeat(64), code: 'c0de'.repeat(16) }
const machine = '8 x AMD EPYC'

it('the note of a live run names its machines, its parallel trials, and the rate limits whose waits are excluded', () => {
  expect(noteOf({}, { machine })).toContain(
    '; times on linux-x64, 8 x AMD EPYC, 4 trials in parallel, without waits for rate limits; data',
  )
  const limits = { concurrent: 5, requestsPerMinute: 60 }
  expect(noteOf({ providers: { openai: { limits } } }, { machine }, { parallel: 2 })).toContain(
    'times on linux-x64, 8 x AMD EPYC and an unknown machine, 4 and 2 trials in parallel, without waits for rate limits (openai: 5 calls in parallel, 60 calls per minute)',
  )
  expect(noteOf({ providers: { openai: { limits: { concurrent: 1 } } } }, { parallel: 1 })).toContain(
    ', 1 trial in parallel, without waits for rate limits (openai: 1 call in parallel)',
  )
  expect(noteOf({ mode: 'dev', simulated: true }, {})).not.toContain('times')
})

it('the note names bench by its own commit, or by its code digest if it is not a checkout, never by the commit of the project', () => {
  const git = { commit: 'project', dirty: false }
  const own = { commit: 'own', dirty: true }
  expect(noteOf({ git, harness: { ...digests, git: own } })).toContain(
    'bench 0.1.0, commit own with changes; called in a checkout at commit project; ',
  )
  expect(noteOf({ git: own, harness: { ...digests, git: own } })).not.toContain('called in')
  expect(noteOf({ git: null, harness: digests })).toContain('bench 0.1.0, code sha256 c0dec0dec0dec0de; ')
  expect(noteOf({ git: null, harness: null })).toContain('bench 0.1.0; ')
})
