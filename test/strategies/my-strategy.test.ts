import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { packageRoot } from '../../src/base/package-root.ts'
import { strategyFromFile } from '../../src/commands/methods/own-strategy.ts'
import { play } from '../../src/testing.ts'

const path = join(packageRoot(), 'fixtures/strategies/my-strategy.ts')

it('the guide’s example drafts until the reviewer approves', async () => {
  const { strategy } = await strategyFromFile(path)
  const { result, asks } = await play(strategy, { drafts: 2 }, [
    ['writer', 'draft 1'],
    ['reviewer', { approved: false, notes: 'Handle negatives.' }],
    ['writer', 'draft 2'],
    ['reviewer', { approved: true, notes: '' }],
  ])
  expect(result).toEqual({ answer: 'draft 2', stopReason: 'done' })
  expect(asks[2]?.show).toMatchObject({ notes: 'Handle negatives.', 'your last draft': 'draft 1' })
})

it('the guide shows the example as it is', () => {
  const guide = readFileSync(join(packageRoot(), 'docs/guides/add-a-strategy.md'), 'utf8')
  expect(guide).toContain(`\`\`\`ts my-strategy.ts\n${readFileSync(path, 'utf8')}\`\`\``)
})
