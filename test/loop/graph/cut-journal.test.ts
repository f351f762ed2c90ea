import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { LedgerLine } from '../../../src/schema/ledger/step.ts'
import {
  agentThatWaits,
  graphStrategy,
  nobody,
  orderOf,
  type Troubled,
  times,
  troubledSteps,
  troubledUpTo,
  withoutWall,
} from '../../helpers/graph/graphs.ts'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { playTrial } from '../../helpers/runs/trial.ts'

const answered = (lines: readonly LedgerLine[]) =>
  lines.flatMap((line) => ('kind' in line && line.kind === 'ask' && line.payer !== 'void' ? [line.key] : []))

/** Proves that the journal has the end of each step before anything of a step that needed it, or its slot. */
function expectEndsFirst(lines: readonly LedgerLine[], shape: Troubled['shape'], concurrency: number): void {
  const begun = new Set<string>()
  const ended = new Set<string>()
  for (const line of lines) {
    if ('kind' in line && line.kind === 'graph') ended.add(line.step)
    const id = /^graph\/(.*)#0$/.exec(line.key)?.[1]
    if (id === undefined || begun.has(id)) continue
    begun.add(id)
    const needs = shape.find((step) => step.id === id)?.after ?? []
    expect(needs.filter((need) => !ended.has(need))).toEqual([])
    expect(begun.size - ended.size).toBeLessThanOrEqual(concurrency)
  }
}

it('a live graph goes on from any line at which its journal may end, in the order that is journaled', async () => {
  const law = fc.asyncProperty(
    troubledUpTo(8),
    times,
    fc.integer({ min: 1, max: 4 }),
    fc.constantFrom('fail', 'last', 'merge'),
    async (troubled, times, concurrency, conflict) => {
      const strategy = graphStrategy(troubledSteps(troubled), { concurrency, conflict })
      const agent = () => agentThatWaits((id) => times[Number(id.slice(1))] ?? 0)
      const whole = await playTrial({ agent: agent(), strategy, mode: 'live' })
      const text = readFileSync(join(whole.folder, 'steps.jsonl'), 'utf8').trimEnd().split('\n')
      expectEndsFirst(
        text.map((line) => JSON.parse(line) as LedgerLine),
        troubled.shape,
        concurrency,
      )
      for (let cut = 0; cut <= text.length; cut++) {
        const folder = tempFolder()
        cpSync(whole.folder, folder, { recursive: true })
        const kept = text.slice(0, cut)
        writeFileSync(join(folder, 'steps.jsonl'), kept.map((line) => `${line}\n`).join(''))
        const lines = kept.map((line) => JSON.parse(line) as LedgerLine)
        const resumed = await playTrial({ agent: agent(), strategy, mode: 'live', folder })
        expect(resumed.divergences).toEqual([])
        const keys = answered(resumed.steps)
        expect(new Set(keys).size).toBe(keys.length)
        expect(keys).toEqual(expect.arrayContaining(answered(lines)))
        const order = lines.flatMap((line) => ('kind' in line && line.kind === 'graph' ? [line.step] : []))
        expect(orderOf(resumed).slice(0, order.length)).toEqual(order)
        const replayed = await playTrial({ agent: nobody, strategy, mode: 'live', folder, replay: true })
        expect(replayed.divergences).toEqual([])
        expect(withoutWall(replayed)).toEqual(withoutWall(resumed))
        rmSync(folder, { recursive: true })
      }
    },
  )
  await fc.assert(law, { numRuns: 4 })
})
