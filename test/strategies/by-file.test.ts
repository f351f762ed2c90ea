import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { packageRoot } from '../../src/base/package-root.ts'
import { strategyFromFile } from '../../src/commands/methods/own-strategy.ts'
import { play } from '../../src/testing.ts'

const path = join(packageRoot(), 'fixtures/strategies/by-file.mjs')

it('the guide’s readers see one file each, and the writer their notes and no file of a folder', async () => {
  const { strategy } = await strategyFromFile(path)
  const files = { 'answers.json': '{ "a": null }', 'texts/a.md': 'apples', 'texts/b.md': 'pears' }
  const lines: Parameters<typeof play>[2] = [
    ['texts/a.md: reader', 'a is 1'],
    ['texts/b.md: reader', 'b is 2'],
    ['writer', 'done'],
  ]
  const { asks, result } = await play(strategy, {}, lines, { files })
  expect(result).toMatchObject({ answer: 'done' })
  const [first, second, last] = asks.map(({ show }) => JSON.stringify(show))
  expect(first).toContain('apples')
  expect(first).not.toContain('pears')
  expect(second).toContain('pears')
  expect(second).not.toContain('apples')
  expect(last).toContain('a is 1')
  expect(last).toContain('b is 2')
  expect(last).toContain('answers.json')
  expect(last).not.toContain('apples')
})

it('the guide shows the example as it is', () => {
  const guide = readFileSync(join(packageRoot(), 'docs/studies/dividing-work.md'), 'utf8')
  expect(guide).toContain(`\`\`\`js\n${readFileSync(path, 'utf8')}\`\`\``)
})
