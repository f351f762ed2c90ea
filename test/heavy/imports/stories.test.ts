import { expect, it } from 'vitest'
import { agentStep, harborTrial, trajectory, userStep } from '../../helpers/imports/harbor-job.ts'
import { foreignFiles, importRun } from '../../helpers/imports/import-run.ts'

it('a transcript that is longer than what is kept of all is left out whole, and its trial counts', async () => {
  const long = trajectory([userStep('Go.'), agentStep('x'.repeat(60_000_000))])
  const folder = foreignFiles(
    Object.fromEntries(
      ['a', 'b', 'c', 'd', 'e'].flatMap((name) => [
        [`job/${name}/result.json`, harborTrial(name)],
        [`job/${name}/agent/trajectory.json`, long],
      ]),
    ),
  )
  const run = await importRun([folder])
  expect(run.records).toHaveLength(5)
  expect(run.manifest.imported?.stories).toMatchObject({ told: 4, leftOut: 1 })
  expect(run.said).toMatch(/1 transcript left out/)
})
