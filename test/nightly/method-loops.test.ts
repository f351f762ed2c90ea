import { join } from 'node:path'
import { expect, it } from 'vitest'
import { tempFolder } from '../helpers/machine/temp.ts'
import { argv } from '../helpers/runs/argv.ts'
import { benchOk, recordsOf } from '../helpers/runs/cli.ts'

it('a method takes the loops that it declares: a vote overrules the first attempt, a retry changes the outcome', async () => {
  const folder = join(tempFolder(), 'run')
  const methods = 'self-consistency,retry[n=3],consensus,consensus[vote=judge],baseline[turns=2]'
  await benchOk(argv`--tasks expression-evaluator,lamp-paths --methods ${methods} --out ${folder} --quiet`)
  const records = recordsOf(folder)
  for (const { fidelity } of records) expect(fidelity).toEqual({ status: 'kept' })
  const passed = records.filter((record) => record.passed)
  const of = (method: string) => passed.filter((record) => record.method === method)
  expect(of('retry[n=3]').some(({ detail }) => /^attempt [23] passes/.test(detail ?? ''))).toBe(true)
  expect(of('self-consistency').some(({ state }) => state?.winner !== 1)).toBe(true)
  expect(of('consensus').some(({ state }) => state?.elected !== 'worker-1')).toBe(true)
  for (const { method, ownJudge } of records)
    expect(ownJudge).toBe(method === 'consensus[vote=judge]' ? 'simulated' : undefined)
  expect(await benchOk(['report', folder])).toContain(
    'simulated chose among candidates that included its own',
  )
  await benchOk(['replay', folder])
})
