import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { packageRoot } from '../../src/base/package-root.ts'
import { strategyFromFile } from '../../src/commands/methods/own-strategy.ts'
import { play } from '../../src/testing.ts'
import { AgentError } from '../../src/text/errors.ts'

const path = join(packageRoot(), 'fixtures/strategies/debate.ts')
const { strategy } = await strategyFromFile(path)
const failure = new AgentError('timeout', 'no reply')

describe('the guide’s debate', () => {
  it('shows each proposer both proposals, and hands in the one that the judge chose', async () => {
    const { result, asks, files } = await play(
      strategy,
      {},
      [
        ['proposer-1: proposer-1', 'mine 1', { a: '1' }],
        ['proposer-2: proposer-2', 'mine 2', { a: '2' }],
        ['proposer-1: proposer-1', 'better 1', { a: '3' }],
        ['proposer-2: proposer-2', 'better 2', { a: '4' }],
        ['judge', { reason: '', best: 'A' }],
      ],
      { files: { a: '0' } },
    )
    expect(asks[2]?.show).toMatchObject({
      'candidate yours': expect.stringContaining('mine 1'),
      'candidate theirs': expect.stringContaining('mine 2'),
    })
    const chosen = asks[4]?.show['candidate A']?.includes('better 1') ? '1' : '2'
    expect(result).toEqual({ answer: `better ${chosen}`, stopReason: 'done' })
    expect(files).toEqual({ a: chosen === '1' ? '3' : '4' })
  })

  it('ends with the proposal that is left when a proposer fails, and throws when both do', async () => {
    const { result, files } = await play(
      strategy,
      {},
      [
        ['proposer-1: proposer-1', failure],
        ['proposer-2: proposer-2', 'mine 2', { a: '2' }],
      ],
      { files: { a: '0' } },
    )
    expect([result.answer, files]).toEqual(['mine 2', { a: '2' }])
    const both = play(strategy, {}, [
      ['proposer-1: proposer-1', failure],
      ['proposer-2: proposer-2', failure],
    ])
    await expect(both).rejects.toThrow('no reply')
  })

  it('is in the guide as it is', () => {
    const guide = readFileSync(join(packageRoot(), 'docs/reference/strategy-parts.md'), 'utf8')
    expect(guide).toContain(`\`\`\`ts\n${readFileSync(path, 'utf8')}\`\`\``)
  })
})
