import { join } from 'node:path'
import { expect, it } from 'vitest'
import { demos, runDemos } from '../../cli/run/demos-scenario.ts'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { recordsOf } from '../../helpers/runs/cli.ts'

// On every built-in task they run in test/nightly.
it('every demo of a graph runs on tasks of both kinds as declared', { timeout: 900_000 }, async () => {
  const folder = join(tempFolder(), 'run')
  await runDemos('answers,line-patch,duration-text', folder)
  expect(recordsOf(folder).length).toBeGreaterThan(8 * demos.length)
})
