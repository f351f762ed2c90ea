import { execFileSync } from 'node:child_process'
import { appendFileSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, it } from 'vitest'
import { findHistory } from '../../src/history/find-history.ts'
import { answerQuery } from '../../src/history/queries.ts'
import { historyNotes } from '../../src/history/words.ts'
import { addTimesum } from '../../src/loop/journal/checksum.ts'
import { findRuns } from '../../src/loop/record/find-runs.ts'
import { readRecords } from '../../src/loop/record/records.ts'
import type { TrialRecord } from '../../src/schema/ledger/record.ts'
import { tempFolder } from '../helpers/machine/temp.ts'
import { record } from '../helpers/runs/run-files.ts'
import { imported, loseRecords, recordLine, writeManifest, writeRun } from '../helpers/runs/write-run.ts'

const simulated = { simulated: true, mode: 'dev' } as const
const three = [1, 2, 3].map((epoch): Partial<TrialRecord> => ({ ...simulated, epoch, passed: epoch < 3 }))
const live = [1, 2, 3].map((epoch): Partial<TrialRecord> => ({ epoch }))
const fourth = (name: string, change = {}) =>
  recordLine({ ...record(`${name}-4`), ...simulated, epoch: 4, ...change })

interface Shape {
  /** Trials that count; a text is in the reason why the run is left out. */
  gives: number | RegExp
  /** What happens to a run of three simulated trials in `folder`. */
  happens?(folder: string, name: string): void
}

const change = (folder: string, edit: (text: string) => string, file = 'records.jsonl') =>
  writeFileSync(join(folder, file), edit(readFileSync(join(folder, file), 'utf8')))
const add = (folder: string, text: string | Buffer) => appendFileSync(join(folder, 'records.jsonl'), text)
/** Puts a link to a file with other people's lines in the place of a file. */
const link = (folder: string, file: string) => {
  rmSync(join(folder, file), { force: true })
  symlinkSync('/etc/passwd', join(folder, file))
}
const plan = (folder: string, changes: object) =>
  writeManifest(folder, { ...simulated, trials: 3, ...changes })
const withoutSums = (text: string) => text.replace(/,"sum":"\w+"\}\}$/gm, '}}')
const shapes: Record<string, Shape> = {
  whole: { gives: 3 },
  torn: { gives: 3, happens: (folder, name) => add(folder, fourth(name).slice(0, 300)) },
  'torn before its newline': { gives: 3, happens: (folder, name) => add(folder, fourth(name)) },
  growing: {
    gives: 2,
    happens: (folder) => change(folder, (text) => `${text.split('\n').slice(0, 2).join('\n')}\n`),
  },
  'without a record': { gives: 0, happens: (folder) => change(folder, () => '') },
  'without records.jsonl': { gives: 0, happens: (folder) => rmSync(join(folder, 'records.jsonl')) },
  'with a changed digit': {
    gives: /checksum is wrong/,
    happens: (folder) => change(folder, (text) => text.replace('"costUsd":0.0125', '"costUsd":0.0225')),
  },
  'with a line that is no JSON': {
    gives: /is wrong|no checksum/,
    happens: (folder) => add(folder, 'oh {"no\n'),
  },
  'with a blank line': { gives: /checksum/, happens: (folder) => add(folder, '\n') },
  'with bytes that are no text': {
    gives: /not UTF-8/,
    happens: (folder) => add(folder, Buffer.from([0xff, 0xfe, 0x0a])),
  },
  'with a trial twice': {
    gives: /second record of trial/,
    happens: (folder) => change(folder, (text) => text + text.slice(0, text.indexOf('\n') + 1)),
  },
  'with a record of a newer bench': {
    gives: /newer bench/,
    happens: (folder, name) => add(folder, `${fourth(name, { schemaVersion: 2 })}\n`),
  },
  'without checksums': { gives: 3, happens: (folder) => change(folder, withoutSums) },
  'without checksums, with a record of another shape': {
    gives: /claimed/,
    happens: (folder) =>
      change(folder, (text) => withoutSums(text).replace('"claimed":"done"', '"claimed":7')),
  },
  'with a version of a task that nothing explains': {
    gives: /amendments.jsonl is missing/,
    happens: (folder, name) => add(folder, `${fourth(name, { task: 'suite/task@0123abcd' })}\n`),
  },
  'with records that are a link': {
    gives: /records\.jsonl\] is a link, which is not followed/,
    happens: (folder) => link(folder, 'records.jsonl'),
  },
  'with a ledger that is a link': { gives: /is a link/, happens: (folder) => link(folder, 'steps.jsonl') },
  'with a plan that is a link': { gives: /is a link/, happens: (folder) => link(folder, 'run.json') },
  'with records that are a pipe': {
    gives: /records\.jsonl\] is not a file/,
    happens(folder) {
      rmSync(join(folder, 'records.jsonl'))
      execFileSync('mkfifo', [join(folder, 'records.jsonl')])
    },
  },
  'of a newer bench': { gives: /newer bench/, happens: (folder) => plan(folder, { schemaVersion: 2 }) },
  'with a changed plan': {
    gives: /was changed/,
    happens: (folder) => change(folder, (text) => text.replace('"seed":1', '"seed":2'), 'run.json'),
  },
  'of another program': {
    gives: /run\.json/,
    happens: (folder) => writeFileSync(join(folder, 'run.json'), '{"name":"mine"}'),
  },
  'that lost records': { gives: /lost records/, happens: loseRecords },
  'as a shard': {
    gives: /shard 1 of 2/,
    happens: (folder) => plan(folder, { shard: { index: 1, of: 2, run: 'w' } }),
  },
  joined: {
    gives: 3,
    happens: (folder) =>
      plan(folder, { joined: { of: 1, shards: [{ index: 1, steps: 0, events: 0, people: 0 }] } }),
  },
  extended: {
    gives: 4,
    happens(folder, name) {
      const planned = { before: 3, after: 4 }
      const sets = ['first', 'second'].map((label) => ({ label, agents: { '*': 'test:model' } }))
      const amendment = {
        at: '2026-01-02T00:00:00.000Z',
        records: 3,
        planned,
        changes: [],
        extended: { agentSets: sets },
      }
      writeFileSync(join(folder, 'amendments.jsonl'), `${addTimesum(JSON.stringify(amendment))}\n`)
      add(folder, `${fourth(name, { agentSet: 'second', epoch: 1 })}\n`)
    },
  },
  'whole, as a copy': { gives: /is a copy of/, happens: (folder) => plan(folder, { id: 'whole' }) },
  'live and not whole': {
    gives: /is a live run of which 3 of 9 trials have ended/,
    happens: (folder) => void writeRun(folder, { trials: 9 }, live),
  },
  'live and whole': { gives: 3, happens: (folder) => void writeRun(folder, {}, live) },
  imported: {
    gives: 3,
    happens: (folder) =>
      void writeRun(
        folder,
        { imported: imported(3) },
        live.map((one) => ({ ...one, imported: true })),
      ),
  },
  'imported, with lost records': {
    gives: /has lost records/,
    happens: (folder) =>
      void writeRun(
        folder,
        { imported: imported(9) },
        live.map((one) => ({ ...one, imported: true })),
      ),
  },
}

/** What the readers of bench say of a run folder. */
function read(folder: string): number | undefined {
  try {
    return [...readRecords(folder)].length
  } catch {
    return undefined
  }
}

it('counts the lines that the readers of bench count, and says why a run is left out, whatever happened to it', async () => {
  const folder = tempFolder()
  for (const [name, { happens }] of Object.entries(shapes)) {
    const run = join(folder, name)
    writeRun(run, simulated, three)
    happens?.(run, name)
  }

  const found = findHistory(folder)
  const { rows } = await answerQuery('runs', found)
  const counted = new Map<unknown, number>()
  for (const { run, trials } of rows)
    counted.set(run, (counted.get(run) ?? 0) + (trials as { run: number }).run)
  for (const [name, { gives }] of Object.entries(shapes)) {
    const left = found.leftOut.filter(({ run }) => run === name)
    if (typeof gives === 'number') {
      expect([left, counted.get(name) ?? 0], name).toEqual([[], gives])
      expect(read(join(folder, name)), name).toBe(gives)
    } else {
      expect(left[0]?.why, name).toMatch(gives)
      expect(counted.has(name), name).toBe(false)
    }
  }
  expect([...counted.keys(), ...found.leftOut.map(({ run }) => run)].length).toBeLessThanOrEqual(
    findRuns(folder).length,
  )
  expect(JSON.stringify(found)).not.toContain('root:')
  expect(historyNotes(found)).toContain('growing is not whole: 2 of 3 trials count')
  // A second look reads what changed since the first, and nothing else.
  expect(findHistory(folder)).toEqual(found)
  add(join(folder, 'growing'), `${fourth('growing', { epoch: 3 })}\n`)
  rmSync(join(folder, 'whole'), { recursive: true })
  const again = findHistory(folder)
  expect(again.runs.find(({ run }) => run === 'growing')?.recorded).toBe(3)
  expect(again.runs.map(({ run }) => run)).toContain('whole, as a copy')
  expect(findRuns(folder).map((run) => basename(run))).not.toContain('whole')
})
