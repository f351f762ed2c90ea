import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { packageRoot } from '../../../src/base/package-root.ts'
import { sharedModules } from '../../../src/commands/methods/built-in-strategies.ts'
import { strategies } from '../../../strategies/index.ts'
import { importsOf, resolveImport } from '../../helpers/house/imports.ts'

/** Modules that every method has alike: they are no machinery of strategies. */
const common = /^src\/(ask\.ts|strategy\.ts|graph\.ts|stage\.ts|schema\/|text\/|base\/|yaml\/)/

it('the digest of a built-in strategy covers all machinery that it imports, in folders of any depth', () => {
  const shared = sharedModules(packageRoot(), '.ts')
  const found = new Set<string>()
  const visit = (path: string) => {
    for (const one of importsOf(readFileSync(join(packageRoot(), path), 'utf8'))) {
      const target = resolveImport(path, one)
      if (target === undefined || common.test(target) || found.has(target)) continue
      found.add(target)
      visit(target)
    }
  }
  for (const { name } of strategies) visit(`strategies/${name}.ts`)
  expect(found).toContain('src/workflows/team.ts')
  expect([...found].filter((path) => !shared.includes(path))).toEqual([])
})
