import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { addChecksum } from '../../../src/loop/journal/checksum.ts'
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

/** Four trials, each of two asks and a grade; works them off, or goes on with them. */
const session = async (folder: string, mode: 'dev' | 'live', retryErrors = false): Promise<string[]> =>
  (await workOff({ folder, mode, agent, strategy, epochs: 4 }, { retryErrors })).notes

/** The folder of a whole run. */
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

function toldBy(read: () => unknown): string {
  try {
    read()
  } catch (error) {
    if (error instanceof UserError) return error.message
    throw error
  }
  return ''
}

/** Ways to damage the ledger that leave every line of it readable, and what is told of them. */
const damages: [string, RegExp, (lines: string[]) => string[]][] = [
  ['a line is gone', /holds 2 of its 3 lines/, (lines) => lines.toSpliced(1, 1)],
  [
    'a word of a reply is another',
    /a line of it .* was changed after it had been written/,
    (lines) => lines.map((line) => line.replace('It will do.', 'It will no.')),
  ],
  [
    'tokens are fewer',
    /was changed after it had been written/,
    (lines) => lines.toSpliced(0, 1, (lines[0] ?? '').replace('"input":100', '"input":200')),
  ],
  [
    'a call was added',
    /holds 4 lines of it, and its record counts 3/,
    (lines) => lines.toSpliced(-1, 0, (lines[0] ?? '').replace('"key":"#0"', '"key":"#9"')),
  ],
]

it.each(damages)('tells of a record that its steps do not bear out: %s', async (_, fact, damage) => {
  const folder = await wholeRun('dev')
  expect([toldBy(() => verifyLedger(folder)), verifyLedgerQuickly(folder)]).toEqual(['', undefined])
  edit(folder, 'steps.jsonl', damage)
  const told = toldBy(() => verifyLedger(folder))
  expect(told).toMatch(
    /^\[.*records\.jsonl:\d\] the record of trial [0-9a-f]{24} does not follow from its steps/,
  )
  expect(told).toMatch(fact)
  expect(told).toContain(`bench run --resume ${folder} --retry-errors`)
  // A command that reads no steps tells the same of a run that is not large.
  expect(toldBy(() => verifyLedgerQuickly(folder))).toBe(told)
})

it('goes on with no run whose finished trials have lost steps, and runs them again when it is asked to', async () => {
  for (const mode of ['dev', 'live'] as const) {
    const folder = await wholeRun(mode)
    const before = sumRunBill(folder).method
    edit(folder, 'steps.jsonl', (lines) => lines.toSpliced(0, 1))
    const [[broken = ''] = []] = [...findBrokenTrials(folder)]
    await expect(session(folder, mode)).rejects.toThrow(
      new RegExp(`the record of trial ${broken} does not follow from its steps: .* --retry-errors`),
    )
    // Nothing was written that would hide it.
    expect([...findBrokenTrials(folder).keys()]).toEqual([broken])

    const notes = await session(folder, mode, true)
    expect(notes).toEqual([
      expect.stringMatching(/^1 trial\(s\) had a record that did not follow from their steps/),
    ])
    expect(toldBy(() => verifyLedger(folder))).toBe('')
    expect([...readRecords(folder)].map(({ passed }) => passed)).toEqual([true, true, true, true])
    const { method, void: taken } = sumRunBill(folder)
    expect(method).toEqual(before)
    expect(taken.calls).toBe(1)
    expect(await session(folder, mode)).toEqual([])
  }
})

it('knows the lines of a trial that two sessions worked on', async () => {
  const folder = await wholeRun('dev')
  // As after a crash: the last trial has its first steps, and no record.
  const lost = [...readRecords(folder)].at(-1)?.trial ?? ''
  edit(folder, 'records.jsonl', (lines) => lines.filter((line) => !line.includes(lost)))
  edit(folder, 'steps.jsonl', (lines) =>
    lines.filter((line) => !(line.includes(lost) && !line.includes('"key":"#0"'))),
  )
  edit(folder, 'sessions.jsonl', (lines) => lines.filter((line) => !line.includes('"end"')))
  await session(folder, 'dev')
  expect(toldBy(() => verifyLedger(folder))).toBe('')
  expect([...readRecords(folder)].at(-1)?.wall.steps).toBe(3)
  edit(folder, 'steps.jsonl', (lines) =>
    lines.filter((line) => !(line.includes(lost) && line.includes('"key":"#0"'))),
  )
  expect(toldBy(() => verifyLedger(folder))).toMatch(new RegExp(`${lost} .* holds 2 of its 3 lines`))
})

it('says so where the whole ledger is gone, and names no more records than can be read', async () => {
  const folder = await wholeRun('dev')
  rmSync(join(folder, 'steps.jsonl'))
  expect(toldBy(() => verifyLedger(folder))).toMatch(
    /steps\.jsonl\] is missing, but the records of 4 trial\(s\) need it\. Restore steps\.jsonl/,
  )
  expect(verifyLedgerQuickly(folder)).toMatch(
    /steps\.jsonl is missing: these numbers come from the records/,
  )
  writeFileSync(join(folder, 'steps.jsonl'), '')
  expect(toldBy(() => verifyLedger(folder)).split('\n')).toHaveLength(4)
})

it('goes on with no run whose ledger is shorter than at the end of the last session, but when told to pay again', async () => {
  const folder = await wholeRun('live')
  // Neither record nor steps are left of one trial: nothing else tells that it was ever paid for.
  const lost = [...readRecords(folder)].at(-1)?.trial as string
  for (const file of ['records.jsonl', 'steps.jsonl'])
    edit(folder, file, (lines) => lines.filter((line) => !line.includes(lost)))
  const told =
    /steps\.jsonl\] has lost lines: it has \d+ bytes, but had \d+ when the last session ended\. Restore steps/
  expect(toldBy(() => verifyLedger(folder))).toMatch(told)
  expect(toldBy(() => verifyLedgerQuickly(folder))).toMatch(told)
  await expect(session(folder, 'live')).rejects.toThrow(told)
  expect(await session(folder, 'live', true)).toEqual([expect.stringMatching(/has lost lines.* made again/)])
  expect([...readRecords(folder)]).toHaveLength(4)
})

it('looks at no more than the length of a large ledger where a command reads no steps', async () => {
  const folder = await wholeRun('dev')
  edit(folder, 'steps.jsonl', (lines) => [...lines.slice(0, -1), ...Array(8).fill(' '.repeat(4e6)), ''])
  expect(verifyLedgerQuickly(folder)).toBeUndefined()
  const noted = /"stepsBytes":(\d+)/
  const changed = (line: string) =>
    line.replace(noted, '"stepsBytes":99000000').replace(/,"sum":"\w+"\}$/, '}')
  edit(folder, 'sessions.jsonl', (lines) =>
    lines.map((line) => (line === '' ? '' : addChecksum(changed(line)))),
  )
  expect(toldBy(() => verifyLedgerQuickly(folder))).toMatch(
    /has lost lines: it has 32\d+ bytes, but had 99000000 when/,
  )
})

it.each(['dev', 'live'] as const)(
  'refuses a record of a %s run whose verdict was turned over',
  async (mode) => {
    const folder = await wholeRun(mode)
    edit(folder, 'records.jsonl', (lines) =>
      lines.map((line) => line.replace('"passed":true', '"passed":false')),
    )
    expect(toldBy(() => [...readRecords(folder)])).toMatch(
      /records\.jsonl:1\] was changed after it had been written: its checksum is wrong\. Remove the line; bench run --resume runs that trial again/,
    )
  },
)
