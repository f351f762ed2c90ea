import { expect, it } from 'vitest'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { benchOk } from '../../helpers/runs/cli.ts'

it('a report says in how many trials tools were called, of the methods that have some', {
  timeout: 120_000,
}, async () => {
  const cwd = tempFolder()
  const methods = 'baseline,none=baseline[tools=none]'
  await benchOk(
    [
      'run',
      '--tasks',
      'register-trace',
      '--methods',
      methods,
      '--tools',
      'read,list',
      '--no-config',
      '--out',
      'r',
    ],
    { cwd },
  )
  const report = JSON.parse(await benchOk(['report', 'r', '--format', 'json'], { cwd }))
  expect(report.mechanisms).toEqual([
    { method: 'baseline', mechanism: 'tools', chances: 1, acted: expect.any(Number) },
  ])
})
