import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { cumulativeStdNormalProbability } from 'simple-statistics'
import { expect, it } from 'vitest'
// @ts-expect-error A script without types.
import { unusedTable } from '../scripts/unused-table.mjs'
import { root } from './helpers/cli.ts'
import { tempFolder } from './helpers/temp.ts'

const bundle = join(root, 'dist/bench')
const library = join(root, 'node_modules/simple-statistics/dist/simple-statistics.mjs')

it('leaves the library as it is, but for a table that whoever reads it still finds', async () => {
  const path = join(tempFolder(), 'library.mjs')
  const text: string = unusedTable.load(library)
  expect(text).toContain('/* @__PURE__ */')
  writeFileSync(path, text.replace(/^\/\/# sourceMappingURL.*/m, ''))
  const ours = await import(path)
  for (const z of [-3.2, -1.234, 0, 0.5, 3.09, 4])
    expect(ours.cumulativeStdNormalProbability(z)).toBe(cumulativeStdNormalProbability(z))
})

it('is not in the bundle', () => {
  const text = readFileSync(library, 'utf8')
  expect(text).toContain('cumulativeDistribution')
  for (const name of readdirSync(bundle).filter((file) => file.endsWith('.cjs')))
    expect(readFileSync(join(bundle, name), 'utf8')).not.toContain('cumulativeDistribution')
})

it('stops the build where the library has another text', () => {
  const path = join(tempFolder(), 'simple-statistics.mjs')
  writeFileSync(path, 'export const table = []')
  expect(() => unusedTable.load(path)).toThrow(`${path} fills its table in another way now`)
})
