import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { packageRoot } from '../../src/package-root.ts'
import type { Strategy } from '../../src/strategy.ts'
import { play } from '../helpers/play.ts'

// The package's own entry needs the build; what the example takes from it is this.
vi.mock('orchestration-bench', async () => ({
  defineStrategy: (await import('../../src/strategy.ts')).defineStrategy,
  z: (await import('zod')).z,
}))

const path = join(packageRoot(), 'fixtures/strategies/my-strategy.mjs')

it('the guide’s example drafts until the reviewer approves', async () => {
  const { default: example } = (await import(path)) as { default: Strategy }
  const { result, asks } = await play(example, { drafts: 2 }, [
    ['writer', 'draft 1'],
    ['reviewer', { approved: false, notes: 'Handle negatives.' }],
    ['writer', 'draft 2'],
    ['reviewer', { approved: true, notes: '' }],
  ])
  expect(result).toEqual({ answer: 'draft 2', stopReason: 'done' })
  expect(asks[2]?.context).toMatchObject({ notes: 'Handle negatives.', 'your last draft': 'draft 1' })
})

it('the guide shows the example as it is', () => {
  const guide = readFileSync(join(packageRoot(), 'docs/guides/add-a-strategy.md'), 'utf8')
  expect(guide).toContain(`\`\`\`js\n${readFileSync(path, 'utf8')}\`\`\``)
})
