import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { KnownStrategy } from '../../../src/loop/plan/method-options.ts'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { benchOk, root } from '../../helpers/runs/cli.ts'

it('a built-in strategy has the digest of its sources', async () => {
  const { builtInStrategies } = await import(join(root, 'dist/src/commands/methods/built-in-strategies.js'))
  const ofSources = Object.fromEntries(
    (builtInStrategies() as KnownStrategy[]).map(({ strategy, digest }) => [strategy.name, digest]),
  )
  const digests = Object.values(ofSources)
  expect(new Set(digests).size).toBe(digests.length)
  for (const digest of digests) expect(digest).toMatch(/^[0-9a-f]{64}$/)
  const names = Object.keys(ofSources)
  expect(names).toContain('baseline')
  const out = join(tempFolder(), 'run')
  // Dev mode starts no program that asks models itself.
  const { external: _, ...inDevMode } = ofSources
  const what = ['--tasks', 'answers/ferry-morning', '--methods', Object.keys(inDevMode).join(',')]
  await benchOk([...what, '--quiet', '--out', out])
  const { methods, harness } = JSON.parse(readFileSync(join(out, 'run.json'), 'utf8'))
  const noted = methods.map(({ strategy, digest }: Record<string, string>) => [strategy, digest])
  expect(Object.fromEntries(noted)).toEqual(inDevMode)
  const digest = expect.stringMatching(/^[0-9a-f]{64}$/)
  expect(harness).toMatchObject({ graders: digest, code: digest })
})
