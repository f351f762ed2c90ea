import { join } from 'node:path'
import { expect, it } from 'vitest'
import { demos, runDemos } from '../../cli/run/demos-scenario.ts'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { recordsOf } from '../../helpers/runs/cli.ts'

it('every demo of a graph runs on every built-in task as declared', { timeout: 900_000 }, async () => {
  const folder = join(tempFolder(), 'run')
  await runDemos('all', folder)
  expect(recordsOf(folder).length).toBeGreaterThan(20 * demos.length)
})
