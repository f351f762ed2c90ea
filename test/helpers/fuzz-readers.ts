import { readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import fc from 'fast-check'
import { expect, it, vi } from 'vitest'
import { stringify } from 'yaml'
import { parseProfile } from '../../src/agents/load-profile.ts'
import { parseConditions } from '../../src/commands/fail-if.ts'
import { parseFaults } from '../../src/commands/inject-option.ts'
import { parseAgents, parseLimits, wholeNumber } from '../../src/commands/run-options.ts'
import { type Problem, UserError } from '../../src/errors.ts'
import { billOf } from '../../src/loop/bill.ts'
import { openBlobs } from '../../src/loop/blobs.ts'
import { openJournal } from '../../src/loop/journal.ts'
import { allSteps, indexJournal, journaledTrials, stepsOf } from '../../src/loop/journal-index.ts'
import { knownEvents } from '../../src/loop/known-events.ts'
import { parseMethod, splitMethods } from '../../src/loop/methods.ts'
import { readRecords, recordedTrials } from '../../src/loop/records.ts'
import { createRunFolder, readManifest } from '../../src/loop/run-folder.ts'
import { lastStates } from '../../src/loop/set-state.ts'
import { packageRoot } from '../../src/package-root.ts'
import { TrialRecord } from '../../src/schema/record.ts'
import { Intent, Step } from '../../src/schema/step.ts'
import { humaneval } from '../../src/suites/humaneval.ts'
import { parseTaskYaml } from '../../src/suites/task-yaml.ts'
import { strategies } from '../../strategies/index.ts'
import { damage } from './mutations.ts'
import { manifest, record, steps } from './run-files.ts'
import { tempFolder } from './temp.ts'

/** What a reader made of its input: what it read, or the problems that it told. */
type Outcome<Read> = { read: Read } | { problems: readonly Problem[] }

/** Runs a reader. Anything but a `UserError` is a fault of ours and fails the test. */
function outcomeOf<Read>(read: () => Read): Outcome<Read> {
  try {
    return { read: read() }
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    return { problems: error.problems }
  }
}

/** A refusal names the place and says what is wrong, in a few words that hold no stack. */
function expectTold(problems: readonly Problem[], place: RegExp): void {
  expect(problems.length).toBeGreaterThan(0)
  for (const { where, what } of problems) {
    expect(where).toMatch(place)
    expect(what).not.toMatch(/\n\s+at |\[object|undefined is not|Cannot read prop|Maximum call stack/)
    expect(what.length).toBeLessThan(20_000)
  }
}

/** Whether a file is sealed still: one that lost all its sums is read like one that never had any. */
const bearsSums = (path: string) => readFileSync(path, 'utf8').includes('"sum":"')

/** The lines of a file as a reader without any care reads them: what a careful one must equal, or refuse. */
const plainly = <Read>(path: string, parse: (json: unknown) => Read): Read[] =>
  readFileSync(path, 'utf8')
    .split('\n')
    .slice(0, -1)
    .map((line) => parse(JSON.parse(line)))

/**
 * Declares the tests that damage every kind of file and option, so many times each: a reader refuses with a place and a
 * remedy, or reads what a plain reader would; of a sealed line only what was written.
 */
export function fuzzReaders(runs: number, seed: number): void {
  // Bounded by count, not by the clock: a busy machine takes its time.
  vi.setConfig({ testTimeout: 60_000 + runs * 100 })
  const fuzz = <Parts extends [unknown, ...unknown[]]>(
    arbitraries: { [Part in keyof Parts]: fc.Arbitrary<Parts[Part]> },
    law: (...parts: Parts) => void,
  ) => fc.assert(fc.property(...arbitraries, law), { numRuns: runs, seed, endOnFailure: runs > 1000 })
  const times = `${runs} times, seed ${seed}`

  for (const sealed of [true, false]) {
    const kind = sealed ? 'a live run' : 'a dev run'

    it(`refuses a damaged ledger of ${kind}, or reads what it says (${times})`, () => {
      const folder = tempFolder()
      const journal = openJournal(folder, { sealed })
      for (const step of steps) journal.step(step)
      journal.close()
      const blobs = openBlobs(join(folder, 'blobs'))
      const path = join(folder, 'steps.jsonl')
      const whole = readFileSync(path)
      const original = [...allSteps(folder)]
      expect(original).toEqual(steps)
      const written = new Set(original.map((step) => JSON.stringify(step)))
      fuzz([damage], (mutate) => {
        writeFileSync(path, mutate(whole))
        const all = outcomeOf(() => [...allSteps(folder)])
        const index = outcomeOf(() => {
          const index = indexJournal(folder, blobs, () => true)
          try {
            return journaledTrials(folder).map((trial) => index.recorded(trial))
          } finally {
            index.close()
          }
        })
        for (const outcome of [
          all,
          index,
          outcomeOf(() => journaledTrials(folder).map((trial) => [...stepsOf(folder, trial, blobs)])),
          outcomeOf(() => billOf(folder)),
          outcomeOf(() => lastStates(folder)),
        ])
          if ('problems' in outcome) expectTold(outcome.problems, /steps\.jsonl:\d+$|blobs\/[0-9a-f]{64}$/)
        if (!('read' in all)) return
        expect(all.read).toEqual(plainly(path, (json) => Step.parse(json)))
        if (bearsSums(path)) for (const step of all.read) expect(written.has(JSON.stringify(step))).toBe(true)
      })
    })

    it(`refuses damaged records of ${kind}, or reads what they say (${times})`, () => {
      const folder = tempFolder()
      const records = ['a', 'b', 'c'].map((trial) => record(trial))
      const journal = openJournal(folder, { sealed })
      for (const one of records) journal.record(one)
      journal.close()
      const path = join(folder, 'records.jsonl')
      const written = readFileSync(path)
      const original = [...readRecords(folder)]
      expect(original).toEqual(records)
      const known = new Set(original.map((one) => JSON.stringify(one)))
      fuzz([damage], (mutate) => {
        writeFileSync(path, mutate(written))
        const all = outcomeOf(() => [...readRecords(folder)])
        const ids = outcomeOf(() => [...recordedTrials(folder)])
        for (const outcome of [all, ids])
          if ('problems' in outcome) expectTold(outcome.problems, /records\.jsonl:\d+$/)
        if (!('read' in all)) return
        expect(all.read).toEqual(plainly(path, (json) => TrialRecord.parse(json)))
        expect(new Set(all.read.map(({ trial }) => trial)).size).toBe(all.read.length)
        if (bearsSums(path)) for (const one of all.read) expect(known.has(JSON.stringify(one))).toBe(true)
      })
    })

    it(`refuses damaged intents and events of ${kind}, or reads what they say (${times})`, async () => {
      const folder = tempFolder()
      const journal = openJournal(folder, { sealed })
      for (const trial of ['a', 'b']) {
        await journal.intent({ trial, key: '#0', attempt: 1, agent: 'x:y', hash: '0'.repeat(64) })
        journal.event(trial, '!0', { type: 'iteration', outer: 1, label: 'é "quoted"' })
      }
      journal.close()
      const blobs = openBlobs(join(folder, 'blobs'))
      const paths = ['intents.jsonl', 'events.jsonl'].map((file) => join(folder, file))
      const written = paths.map((path) => readFileSync(path))
      fuzz([damage], (mutate) => {
        paths.forEach((path, i) => void writeFileSync(path, mutate(written[i] as Buffer)))
        const index = outcomeOf(() => {
          const index = indexJournal(folder, blobs, () => true)
          index.close()
          return index
        })
        const events = outcomeOf(() => knownEvents(folder, () => true))
        if ('problems' in index) expectTold(index.problems, /intents\.jsonl:\d+$/)
        else plainly(join(folder, 'intents.jsonl'), (json) => Intent.parse(json))
        if ('problems' in events) expectTold(events.problems, /events\.jsonl:\d+$/)
        else if (sealed) for (const known of events.read) expect(['a !0', 'b !0']).toContain(known)
      })
    })
  }

  it(`refuses a damaged run.json, or reads what was written (${times})`, () => {
    const folder = join(tempFolder(), 'run')
    createRunFolder(folder, manifest)
    const path = join(folder, 'run.json')
    const written = readFileSync(path)
    fuzz([damage], (mutate) => {
      writeFileSync(path, mutate(written))
      const outcome = outcomeOf(() => readManifest(folder))
      if ('problems' in outcome) expectTold(outcome.problems, /run(\.json)?$/)
      else expect({ ...outcome.read, sum: undefined }).toEqual({ ...manifest, sum: undefined })
    })
  })

  it(`refuses a damaged task.yaml with file, line and field, or reads a task that says the same when written again (${times})`, () => {
    const files = ['tasks/code/money-split', 'tasks/answers/lamp-paths', 'tasks/python/page-ranges'].map(
      (folder) => ({ name: basename(folder), text: readFileSync(join(packageRoot(), folder, 'task.yaml')) }),
    )
    fuzz([fc.constantFrom(...files), damage], ({ name, text }, mutate) => {
      const problems: Problem[] = []
      const parsed = parseTaskYaml(mutate(text).toString(), 'task.yaml', name, problems)
      if (!parsed) return expectTold(problems, /^task\.yaml:\d+( .+)?$/s)
      const again = parseTaskYaml(stringify(parsed.data), 'again.yaml', name, problems)
      expect(problems).toEqual([])
      expect(again?.data).toEqual(parsed.data)
    })
  })

  it(`refuses a damaged profile with its line, or reads one that says the same when written again (${times})`, () => {
    const files = ['default', 'null'].map((name) =>
      readFileSync(join(packageRoot(), 'fixtures/profiles', `${name}.yaml`)),
    )
    fuzz([fc.constantFrom(...files), damage], (file, mutate) => {
      const outcome = outcomeOf(() => parseProfile(mutate(file).toString(), 'profile.yaml'))
      if ('problems' in outcome) return expectTold(outcome.problems, /^profile\.yaml:\d+/)
      expect(parseProfile(stringify(outcome.read), 'again')).toEqual(outcome.read)
    })
  })

  it(`refuses a damaged line of HumanEval with its number, or makes a task of what it says (${times})`, () => {
    const path = join(tempFolder(), 'HumanEval.jsonl')
    const lines = [0, 1].map((i) => ({
      task_id: `HumanEval/${i}`,
      prompt: `def add${i}(a: int, b: int) -> int:\n    """Adds.\n    >>> add${i}(1, 2)\n    3\n    """\n`,
      entry_point: `add${i}`,
      canonical_solution: '    return a + b\n',
      test: `def check(candidate):\n    assert candidate(1, 2) == 3\n`,
    }))
    const written = Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
    fuzz([damage], (mutate) => {
      writeFileSync(path, mutate(written))
      const { tasks, problems } = humaneval.load(path)
      if (problems.length > 0) return expectTold(problems, /HumanEval\.jsonl(:\d+.*)?$/s)
      const kept = readFileSync(path, 'utf8')
        .split('\n')
        .filter((line) => line.trim() !== '')
      expect(tasks.length).toBe(kept.length)
      tasks.forEach((task, i) => {
        const line = JSON.parse(kept[i] as string) as (typeof lines)[number]
        expect(task.hidden.solution).toEqual({
          files: { 'solution.py': line.prompt + line.canonical_solution },
        })
        expect(task.hidden.tests).toEqual({ 'check.py': line.test })
      })
    })
  })

  it(`refuses malformed options with the flag, or reads what they say (${times})`, () => {
    const word = fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom(...words) },
      fc.string({ maxLength: 12 }),
      fc.string({ unit: 'binary', maxLength: 6 }),
    )
    const option = fc.array(word, { maxLength: 12 }).map((parts) => parts.join(''))
    const known = strategies.map((strategy) => ({ strategy, digest: 'd' }))
    fuzz([option], (text) => {
      for (const item of splitMethods(text)) {
        const parsed = parseMethod(item, known)
        if ('problems' in parsed) expectTold(parsed.problems, /^--methods /)
        else expect(parseMethod(item.trim(), known)).toEqual(parsed)
      }
      const problems: Problem[] = []
      const limits = parseLimits(problems, text)
      if (problems.length === 0)
        expect(
          parseLimits(
            [],
            Object.entries(limits)
              .map((pair) => pair.join('='))
              .join(','),
          ),
        ).toEqual(limits)
      else expectTold(problems, /^--limit/)

      const conditions = parseConditions(text, [])
      for (const condition of conditions) {
        if (condition.kind === 'verdict') continue
        const { metric, bound } = condition
        expect(['success', 'score', 'tokens', 'costUsd', 'totalCostUsd', 'missing', 'passed']).toContain(
          metric,
        )
        expect(Number.isFinite(bound)).toBe(true)
      }
      const faults: Problem[] = []
      const rates = parseFaults(faults, [text], ['solver'])
      if (faults.length > 0) expectTold(faults, /^--inject/)
      else if (rates)
        expect(
          Object.values(rates).every((role) => Object.values(role).every((rate) => rate >= 0 && rate <= 1)),
        ).toBe(true)

      const agents: Problem[] = []
      const names = parseAgents(agents, undefined, [text], ['solver'])
      if (agents.length > 0) expectTold(agents, /^--agent/)
      else expect(Object.keys(names)).toEqual(['solver'])

      const numbers: Problem[] = []
      const number = wholeNumber(numbers, '--epochs', text, 1)
      if (numbers.length > 0) expectTold(numbers, /^--epochs/)
      else expect(Number.isSafeInteger(number) && number >= 1).toBe(true)
    })
  })
}

const words = [
  ...[
    'baseline',
    'sequential',
    'integrated',
    'simulated',
    'solver',
    'calls',
    'checks',
    'tokens',
    'costUsd',
    'timeMs',
  ],
  ...[
    'maxInner',
    'maxOuter',
    'parallel',
    'success',
    'timeout',
    'malformed',
    'empty',
    '*',
    '__proto__',
    'constructor',
  ],
  ...[
    'toString',
    '=',
    '[',
    ']',
    ',',
    '.',
    ':',
    '<',
    '<=',
    '>',
    '0',
    '1',
    '2',
    '0.5',
    '-1',
    '1e3',
    '1e999',
    '0x10',
    'true',
  ],
  ...[
    ' ',
    '\n',
    '\0',
    '"',
    '{',
    '}',
    'null',
    'NaN',
    'A',
    '9'.repeat(400),
    'x'.repeat(5000),
    '['.repeat(3000),
  ],
]
