import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openBlobs } from '../../../src/loop/journal/blobs.ts'
import { emptyLedgerChecksum } from '../../../src/loop/journal/checksum.ts'
import { openJournal } from '../../../src/loop/journal/journal.ts'
import {
  allSteps,
  indexJournal,
  journaledTrials,
  readLedger,
  stepsOf,
} from '../../../src/loop/journal/ledger-index.ts'
import { readRecords, recordedTrials } from '../../../src/loop/record/records.ts'
import { sumRunBill } from '../../../src/loop/record/run-bill.ts'
import { createRunFolder, readManifest } from '../../../src/loop/record/run-folder.ts'
import { readRecordedEvents } from '../../../src/loop/record/workflow-events.ts'
import { lastStates } from '../../../src/loop/replay/set-state.ts'
import { TrialRecord } from '../../../src/schema/ledger/record.ts'
import { type Intent, LedgerLine } from '../../../src/schema/ledger/step.ts'
import { tempFolder } from '../machine/temp.ts'
import { manifest, record, steps } from '../runs/run-files.ts'
import { expectProblems, type Fuzz, outcomeOf } from './fuzz.ts'
import { damage } from './mutations.ts'

/** Returns whether a file still has checksums: a file that lost all of them is read like one that never had any. */
const hasChecksumField = (path: string) => readFileSync(path, 'utf8').includes('"sum":"')

/** Returns the lines of a file as a simple parser reads them. Bench must read the same, or refuse. */
const plainly = <Read>(path: string, parse: (json: unknown) => Read): Read[] =>
  readFileSync(path, 'utf8')
    .split('\n')
    .slice(0, -1)
    .map((line) => parse(JSON.parse(line)))

/** Declares the tests that damage the files of a run folder. */
export function fuzzRunFiles(fuzz: Fuzz): void {
  for (const checksums of [true, false]) {
    const kind = checksums ? 'a live run' : 'a dev run'

    it(`bench refuses a damaged ledger of ${kind}, or reads it correctly (${fuzz.times})`, async () => {
      const folder = tempFolder()
      const journal = openJournal(folder, { checksums })
      const checksum = emptyLedgerChecksum()
      const intents: Intent[] = steps.flatMap(({ trial, key, attempt, kind, hash }) =>
        kind === 'ask' ? [{ trial, key, attempt, kind: 'intent', agent: 'x:y', hash }] : [],
      )
      await Promise.all(intents.map((intent) => journal.intent(intent, checksum)))
      for (const step of steps) journal.step(step, checksum)
      journal.close()
      const blobs = openBlobs(join(folder, 'blobs'))
      const path = join(folder, 'steps.jsonl')
      const whole = readFileSync(path)
      const original = [...allSteps(folder)]
      expect(original).toEqual(steps)
      const lines = [...readLedger(folder)]
      expect(lines).toEqual([...intents, ...steps])
      const written = new Set(lines.map((line) => JSON.stringify(line)))
      await fuzz.check([damage], (mutate) => {
        writeFileSync(path, mutate(whole))
        const all = outcomeOf(() => [...readLedger(folder)])
        const index = outcomeOf(() => {
          const index = indexJournal(folder, blobs, () => true)
          try {
            return journaledTrials(folder).map((trial) => index.readTrial(trial))
          } finally {
            index.close()
          }
        })
        for (const outcome of [
          all,
          index,
          outcomeOf(() => journaledTrials(folder).map((trial) => [...stepsOf(folder, trial, blobs)])),
          outcomeOf(() => sumRunBill(folder)),
          outcomeOf(() => lastStates(folder)),
        ])
          if ('problems' in outcome)
            expectProblems(outcome.problems, /steps\.jsonl:\d+$|blobs\/[0-9a-f]{64}$/)
        if (!('read' in all)) return
        expect(all.read).toEqual(plainly(path, (json) => LedgerLine.parse(json)))
        if (hasChecksumField(path))
          for (const line of all.read) expect(written.has(JSON.stringify(line))).toBe(true)
      })
    })

    it(`bench refuses damaged records of ${kind}, or reads them correctly (${fuzz.times})`, async () => {
      const folder = tempFolder()
      const records = ['a', 'b', 'c'].map((trial) => record(trial))
      const journal = openJournal(folder, { checksums })
      for (const one of records) journal.record(one)
      journal.close()
      const path = join(folder, 'records.jsonl')
      const written = readFileSync(path)
      const original = [...readRecords(folder)]
      expect(original).toEqual(records)
      const known = new Set(original.map((one) => JSON.stringify(one)))
      await fuzz.check([damage], (mutate) => {
        writeFileSync(path, mutate(written))
        const all = outcomeOf(() => [...readRecords(folder)])
        const ids = outcomeOf(() => [...recordedTrials(folder)])
        for (const outcome of [all, ids])
          if ('problems' in outcome) expectProblems(outcome.problems, /records\.jsonl:\d+$/)
        if (!('read' in all)) return
        expect(all.read).toEqual(plainly(path, (json) => TrialRecord.parse(json)))
        expect(new Set(all.read.map(({ trial }) => trial)).size).toBe(all.read.length)
        if (hasChecksumField(path))
          for (const one of all.read) expect(known.has(JSON.stringify(one))).toBe(true)
      })
    })

    it(`bench refuses damaged events of ${kind}, or reads them correctly (${fuzz.times})`, async () => {
      const folder = tempFolder()
      const journal = openJournal(folder, { checksums })
      for (const trial of ['a', 'b'])
        journal.event(trial, '!0', { type: 'iteration', outer: 1, label: 'é "quoted"' })
      journal.close()
      const path = join(folder, 'events.jsonl')
      const written = readFileSync(path)
      await fuzz.check([damage], (mutate) => {
        writeFileSync(path, mutate(written))
        const events = outcomeOf(() => readRecordedEvents(folder, () => true))
        if ('problems' in events) expectProblems(events.problems, /events\.jsonl:\d+$/)
        else if (checksums) for (const known of events.read) expect(['a !0', 'b !0']).toContain(known)
      })
    })
  }

  it(`bench refuses a damaged run.json, or reads it as it was written (${fuzz.times})`, async () => {
    const folder = join(tempFolder(), 'run')
    await createRunFolder(folder, () => manifest)
    const path = join(folder, 'run.json')
    const written = readFileSync(path)
    await fuzz.check([damage], (mutate) => {
      writeFileSync(path, mutate(written))
      const outcome = outcomeOf(() => readManifest(folder))
      if ('problems' in outcome) expectProblems(outcome.problems, /run(\.json)?$/)
      else expect({ ...outcome.read, sum: undefined }).toEqual({ ...manifest, sum: undefined })
    })
  })
}
