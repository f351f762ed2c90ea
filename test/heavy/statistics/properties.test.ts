import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { argv } from '../../helpers/runs/argv.ts'
import { benchOk, refused, shareProcess } from '../../helpers/runs/cli.ts'

shareProcess()

it('a run keeps the properties of its tasks, and its reports compare methods by them', async () => {
  const cwd = tempFolder()
  const tasks = 'answers,separable/torn-route'
  await benchOk(['run', '--tasks', tasks, '--methods', 'baseline,retry', '--quiet', '--out', 'run'], { cwd })
  const { tasks: kept } = JSON.parse(readFileSync(join(cwd, 'run/run.json'), 'utf8'))
  expect(kept).toContainEqual({
    ref: 'separable/torn-route',
    digest: expect.any(String),
    properties: {
      decomposability: 0.1,
      sequentialDepth: 24,
      independentParts: 1,
      readingTokens: expect.any(Number),
      difficulty: 0.55,
    },
  })
  const csv = await benchOk(['report', 'run', '--properties', '--format', 'csv'], { cwd })
  expect(csv).toMatch(/^property,pair,simulated,.*\ndecomposability,retry than baseline,true,/)
  expect(await benchOk(['report', 'run'], { cwd })).toContain('varies with properties of the tasks')
  expect(await benchOk(['compare', 'run:retry', 'run:baseline'], { cwd })).toContain('decomposability')
  await benchOk(['report', 'run', '--format', 'html', '--out', 'run.html'], { cwd })
  expect(readFileSync(join(cwd, 'run.html'), 'utf8')).toContain('varies with properties of the tasks')
  await refused(['report', 'run', '--properties', '--pairs'], [/each prints only one part/], { cwd })
  await benchOk(argv`run --tasks torn-route --methods baseline,retry --quiet --out one`, {
    cwd,
  })
  await refused(argv`report one --properties`, [/no two methods on tasks whose stated properties differ/], {
    cwd,
  })
})
