import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readLabels } from '../../../src/commands/judge/read-labels.ts'
import type { TrialRecord } from '../../../src/schema/ledger/record.ts'
import { UserError } from '../../../src/text/errors.ts'
import { tableOf } from '../../helpers/house/tables.ts'
import { tempFolder } from '../../helpers/machine/temp.ts'

const record = (trial: string, task: string, method: string, epoch = 0) =>
  ({ trial, task, method, epoch }) as TrialRecord
const records = [
  record('t1', 'mine/a', 'baseline'),
  record('t2', 'mine/a', 'baseline', 1),
  record('t3', 'mine/b', 'sequential'),
]

const read = (text: string) => {
  const path = join(tempFolder(), 'labels.csv')
  writeFileSync(path, text)
  return readLabels(path, records)
}

const refusal = async (promise: Promise<unknown>): Promise<string> => {
  const error = await promise.catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(UserError)
  return (error as Error).message
}

const both = { byTrial: new Map([...([['t1', true]] as const), ...([['t3', false]] as const)]), empty: 1 }

describe('labels of people', () => {
  it.each(tableOf<[string, string][]>(import.meta.url, 'read'))('are read with %s', async (_, text) => {
    expect(await read(text)).toEqual(both)
  })

  it.each([
    [
      'no column of labels',
      'trial,answer\nt1,x\n',
      /labels\.csv\] has the columns trial, answer\. It needs `label`/,
    ],
    ['no column of trials', 'task,label\nmine/a,pass\n', /has the columns task, label/],
    [
      'another word',
      'trial,label\nt1,perhaps\n',
      /labels\.csv:2\] has the label "perhaps"\. Write pass or fail/,
    ],
    ['a trial twice', 'trial,label\nt1,pass\nt1,fail\n', /labels\.csv:3\] labels a trial a second time/],
    ['an unknown trial', 'trial,label\nt9,pass\n', /labels\.csv:2\] names the trial t9, which judges/],
    ['an unknown method', 'task,method,label\nmine/a,dag,pass\n', /names no judged trial: mine\/a, dag/],
    [
      'two trials at once',
      'task,method,label\nmine/a,baseline,pass\n',
      /names 2 trials: .*Add the column epoch/,
    ],
    ['no line', '', /labels\.csv\] is empty/],
    ['nothing but empty lines', '\n\n', /labels\.csv\] is empty/],
    ['an open quote', 'trial,label\n"t1,pass\n', /labels\.csv:2\]/],
  ])('with %s are refused by line', async (_, text, message) => {
    expect(await refusal(read(text))).toMatch(message)
  })

  it('reports each malformed line, and at most 20', async () => {
    const lines = Array.from({ length: 30 }, (_, i) => `x${i},pass`)
    const message = await refusal(read(`trial,label\n${lines.join('\n')}\n`))
    expect(message.split('\n')).toHaveLength(20)
    expect(message).toContain('labels.csv:21]')
  })

  it('of a file that is not there are refused in one line', async () => {
    expect(await refusal(readLabels(join(tempFolder(), 'none.csv'), records))).toMatch(
      /^\[.*none\.csv\] does not exist\. Check the path\. There /,
    )
  })

  it('are none where a file has only headings', async () => {
    expect(await read('trial,label\n')).toEqual({ byTrial: new Map(), empty: 0 })
  })
})
