import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { folderOf } from '../../helpers/machine/temp.ts'
import { bench, benchOk, refused, shareProcess } from '../../helpers/runs/cli.ts'

shareProcess()

const table = 'question,answer\nHow many?,4\nWho?\nHow much?,"1,000"\n'

function folderWith(text: string): string {
  const cwd = folderOf({ 'q.csv': text })
  return cwd
}

it('rows that cannot be read stop a run; --skip-invalid counts them in run.json, the report, resume and replay', async () => {
  const cwd = folderWith(table)
  const run = ['--tasks', 'csv:q.csv', '--methods', 'baseline', '--out', 'run']
  await refused(run, ['q.csv:3 answer', 'is missing', '--skip-invalid'], { cwd })
  expect((await bench([...run, '--skip-invalid', '--max-calls', '1'], { cwd })).code).toBe(3)
  const { skipInvalid } = JSON.parse(readFileSync(join(cwd, 'run/run.json'), 'utf8'))
  const items = [{ where: 'q.csv:3 answer', what: expect.stringMatching(/^is missing/) }]
  expect(skipInvalid).toEqual([{ source: `csv:${join(cwd, 'q.csv')}`, count: 1, items }])
  await benchOk(['run', '--resume', 'run', '--max-calls', 'none'], { cwd })
  expect(await benchOk(['report', 'run', '--format', 'markdown'], { cwd })).toContain(
    'Left out by --skip-invalid: 1 of the tasks of csv:',
  )
  expect(await benchOk(['replay', 'run'], { cwd })).toContain('2 trials replayed')
})

it('bench tasks import writes tasks that load, keeps what is there, and takes licence and source', async () => {
  const cwd = folderWith(table)
  const given = ['--licence', 'CC0-1.0', '--source', 'our desk', '--skip-invalid']
  await benchOk(['tasks', 'import', 'csv:q.csv', '--out', 'own', ...given], { cwd })
  const tasks = JSON.parse(await benchOk(['tasks', 'native:own', '--json'], { cwd }))
  expect(tasks).toMatchObject([
    { ref: 'own/q1', licence: 'CC0-1.0', source: 'our desk' },
    { ref: 'own/q3', licence: 'CC0-1.0', source: 'our desk' },
  ])
  await refused(['tasks', 'import', 'csv:q.csv', '--out', 'own', ...given], ['is not empty'], { cwd })
})

it.each([
  ['q.csv', 'looks like csv'],
  ['q.csv:2', 'Write csv:q.csv:2.'],
  ['native:q.csv', 'looks like csv'],
  ['gsm8k:q.csv', 'looks like csv'],
  ['gone.csv', 'gone.csv does not exist'],
])('the right format is named for --tasks %s', async (selection, words) => {
  await refused(['tasks', selection], [words], { cwd: folderWith(table) })
})
