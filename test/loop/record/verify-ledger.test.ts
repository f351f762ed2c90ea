import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { addTimesum } from '../../../src/loop/journal/checksum.ts'
import { readRecords } from '../../../src/loop/record/records.ts'
import { sumRunBill } from '../../../src/loop/record/run-bill.ts'
import {
  findBrokenTrials,
  verifyLedger,
  verifyLedgerQuickly,
} from '../../../src/loop/record/verify-ledger.ts'
import { UserError } from '../../../src/text/errors.ts'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { workOff } from '../../helpers/runs/session.ts'
import { agentOf, strategyOf } from '../../helpers/runs/trial.ts'

const agent = agentOf(({ role }) => (role === 'judge' ? 'It will do.' : 'Answer: 42'))
const strategy = strategyOf(async ({ ask }) => {
  await ask('solver', 'one')
  await ask('judge', 'two')
  return { stopReason: 'done' }
})

/** Runs or resumes four trials, each with two asks and a grade. */
const session = async (folder: string, mode: 'dev' | 'live', retryErrors = false): Promise<string[]> =>
  (await workOff({ folder, mode, agent, strategy, epochs: 4 }, { retryErrors })).notes

/** Returns the folder of a whole run. */
async function wholeRun(mode: 'dev' | 'live'): Promise<string> {
  const folder = tempFolder()
  await session(folder, mode)
  return folder
}

const linesOf = (folder: string, file: string) => readFileSync(join(folder, file), 'utf8').split('\n')

/** Rewrites a file of a run folder line by line. */
function edit(folder: string, file: string, change: (lines: string[]) => string[]): void {
  writeFileSync(join(folder, file), change(linesOf(folder, file)).join('\n'))
}

function messageOf(read: () => unknown): string {
  try {
    read()
  } catch (error) {
    if (error instanceof UserError) return error.message
    throw error
  }
  return ''
}

/** Ways to damage the ledger that leave every line readable, and the error of each. */
const damages: [string, RegExp, (lines: string[]) => string[]][] = [
  ['a line was removed', /holds 2 of its 3 lines/, (lines) => lines.toSpliced(1, 1)],
  [
    'a word of a reply was changed',
    /a line of it .* was changed after it had been written/,
    (lines) => lines.map((line) => line.replace('It will do.', 'It will no.')),
  ],
  [
    'tokens were lowered',
    /was changed after it had been written/,
    (lines) => lines.toSpliced(0, 1, (lines[0] ?? '').replace('"input":100', '"input":200')),
  ],
  [
    'a call was added',
    /holds 4 lines of it, but its record counts 3/,
    (lines) => lines.toSpliced(-1, 0, (lines[0] ?? '').replace('"key":"#0"', '"key":"#9"')),
  ],
]

it.each(damages)('a record that does not match its steps is reported: %s', async (_, fact, damage) => {
  const folder = await wholeRun('dev')
  expect([messageOf(() => verifyLedger(folder)), verifyLedgerQuickly(folder)]).toEqual(['', undefined])
  edit(folder, 'steps.jsonl', damage)
  const message = messageOf(() => verifyLedger(folder))
  expect(message).toMatch(
    /^\[.*records\.jsonl:\d\] the record of trial [0-9a-f]{24} does not match its steps/,
  )
  expect(message).toMatch(fact)
  expect(message).toContain(`bench run --resume ${folder} --retry-errors`)
  // A command that does not read steps reports the same for a small run.
  expect(messageOf(() => verifyLedgerQuickly(folder))).toBe(message)
})

it('a run whose finished trials have lost steps is not resumed, and --retry-errors runs these trials again', async () => {
  for (const mode of ['dev', 'live'] as const) {
    const folder = await wholeRun(mode)
    const before = sumRunBill(folder).method
    edit(folder, 'steps.jsonl', (lines) => lines.toSpliced(0, 1))
    const [[broken = ''] = []] = [...findBrokenTrials(folder)]
    await expect(session(folder, mode)).rejects.toThrow(
      new RegExp(`the record of trial ${broken} does not match its steps: .* --retry-errors`),
    )
    // The refused session has written nothing that hides the damage.
    expect([...findBrokenTrials(folder).keys()]).toEqual([broken])

    const notes = await session(folder, mode, true)
    expect(notes).toEqual([
      expect.stringMatching(/^1 trial\(s\) had a record that did not match their steps/),
    ])
    expect(messageOf(() => verifyLedger(folder))).toBe('')
    expect([...readRecords(folder)].map(({ passed }) => passed)).toEqual([true, true, true, true])
    const { method, void: taken } = sumRunBill(folder)
    expect(method).toEqual(before)
    expect(taken.calls).toBe(1)
    expect(await session(folder, mode)).toEqual([])
  }
})

it('the ledger of a trial that two sessions worked on is verified', async () => {
  const folder = await wholeRun('dev')
  // As after a crash, the last trial has its first steps but no record.
  const lost = [...readRecords(folder)].at(-1)?.trial ?? ''
  edit(folder, 'records.jsonl', (lines) => lines.filter((line) => !line.includes(lost)))
  edit(folder, 'steps.jsonl', (lines) =>
    lines.filter((line) => !(line.includes(lost) && !line.includes('"key":"#0"'))),
  )
  edit(folder, 'sessions.jsonl', (lines) => lines.filter((line) => !line.includes('"end"')))
  await session(folder, 'dev')
  expect(messageOf(() => verifyLedger(folder))).toBe('')
  expect([...readRecords(folder)].at(-1)?.wall.steps).toBe(3)
  edit(folder, 'steps.jsonl', (lines) =>
    lines.filter((line) => !(line.includes(lost) && line.includes('"key":"#0"'))),
  )
  expect(messageOf(() => verifyLedger(folder))).toMatch(new RegExp(`${lost} .* holds 2 of its 3 lines`))
})

it('a missing ledger is reported once, and an empty one for each record', async () => {
  const folder = await wholeRun('dev')
  rmSync(join(folder, 'steps.jsonl'))
  expect(messageOf(() => verifyLedger(folder))).toMatch(
    /steps\.jsonl\] is missing, but the records of 4 trial\(s\) need it\. Restore steps\.jsonl/,
  )
  expect(verifyLedgerQuickly(folder)).toMatch(/steps\.jsonl is missing: these numbers come from the records/)
  writeFileSync(join(folder, 'steps.jsonl'), '')
  expect(messageOf(() => verifyLedger(folder)).split('\n')).toHaveLength(4)
})

it('a run whose ledger is shorter than after the last session is resumed only with --retry-errors', async () => {
  const folder = await wholeRun('live')
  // One trial has neither a record nor steps, so only the file size shows that it was paid for.
  const lost = [...readRecords(folder)].at(-1)?.trial as string
  for (const file of ['records.jsonl', 'steps.jsonl'])
    edit(folder, file, (lines) => lines.filter((line) => !line.includes(lost)))
  const message =
    /steps\.jsonl\] has lost lines: it has \d+ bytes, but had \d+ when the last session ended\. Restore steps/
  expect(messageOf(() => verifyLedger(folder))).toMatch(message)
  expect(messageOf(() => verifyLedgerQuickly(folder))).toMatch(message)
  await expect(session(folder, 'live')).rejects.toThrow(message)
  expect(await session(folder, 'live', true)).toEqual([expect.stringMatching(/has lost lines.* made again/)])
  expect([...readRecords(folder)]).toHaveLength(4)
})

it('a large ledger is checked only by its size if a command does not read steps', async () => {
  const folder = await wholeRun('dev')
  edit(folder, 'steps.jsonl', (lines) => [...lines.slice(0, -1), ...Array(8).fill(' '.repeat(4e6)), ''])
  expect(verifyLedgerQuickly(folder)).toBeUndefined()
  const noted = /"stepsBytes":(\d+)/
  const changed = (line: string) =>
    line.replace(noted, '"stepsBytes":99000000').replace(/,"sum":"\w+"\}$/, '}')
  edit(folder, 'sessions.jsonl', (lines) =>
    lines.map((line) => (line === '' ? '' : addTimesum(changed(line)))),
  )
  expect(messageOf(() => verifyLedgerQuickly(folder))).toMatch(
    /has lost lines: it has 32\d+ bytes, but had 99000000 when/,
  )
})

it.each(['dev', 'live'] as const)(
  'a record of a %s run whose verdict was changed is refused',
  async (mode) => {
    const folder = await wholeRun(mode)
    edit(folder, 'records.jsonl', (lines) =>
      lines.map((line) => line.replace('"passed":true', '"passed":false')),
    )
    expect(messageOf(() => [...readRecords(folder)])).toMatch(
      /records\.jsonl:1\] was changed after it had been written: its checksum is wrong\. Remove the line; bench run --resume runs that trial again/,
    )
  },
)
