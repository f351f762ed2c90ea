import { setMaxListeners } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { Interrupted } from '../../../src/loop/branch/recorded-steps.ts'
import type { Limits } from '../../../src/schema/limits.ts'
import {
  calm,
  filesTask,
  hasty,
  type Op,
  program,
  someLimits,
  stubborn,
  withoutWall,
} from '../../helpers/machine/programs.ts'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { playTrial } from '../../helpers/runs/trial.ts'

/** A trial of a random program: asks that fail are tried again, and works on the way are graded. */
const trialOf = (ops: readonly Op[], limits: Limits) => ({
  strategy: stubborn(ops),
  limits,
  task: filesTask(),
  retries: 2,
  gradeCandidates: true as const,
})

it('a trial ends alike whichever branch was faster, resumed anywhere and replayed, and changes nothing after a refusal', async () => {
  // Two branches under one that loses go on with the same conversation.
  const conflictOfLoser: Op[] = [
    {
      race: [
        [
          {
            side: [
              ['remember', 'produce'],
              ['remember', 'produce'],
            ],
          },
          { side: [['produce']] },
        ],
        ['state'],
      ],
    },
    'produce',
  ]
  let limited = 0
  await fc.assert(
    fc.asyncProperty(program, someLimits, fc.nat(), fc.boolean(), async (ops, limits, seed, isBusy) => {
      const setting = { ...trialOf(ops, limits), agent: calm(isBusy) }
      const expected = await playTrial(setting)
      const { status } = expected.record.outcome
      expect(['completed', 'limited']).toContain(status)
      const refusals = expected.steps.filter(({ kind }) => kind === 'limit').map(({ key }) => key.split('#'))
      const cutOff = expected.steps.some((step) => step.kind === 'ask' && step.error?.reason === 'timeout')
      expect(refusals.length > 0 || cutOff).toBe(status === 'limited')
      if (status === 'limited') limited++
      for (const [path, count] of refusals)
        for (const { key, kind } of expected.steps) {
          const [of, number] = key.split('#')
          if (kind !== 'grade' && of === path) expect(Number(number)).toBeLessThanOrEqual(Number(count))
        }

      const played = await playTrial({ ...setting, agent: hasty(seed, isBusy) })
      const { folder } = played
      const replayed = await playTrial({ ...setting, folder, replay: true })
      const file = join(folder, 'steps.jsonl')
      const lines = readFileSync(file, 'utf8').split(/(?<=\n)/)
      writeFileSync(file, lines.slice(0, seed % (lines.length + 1)).join(''))
      const resumed = await playTrial({ ...setting, folder })
      for (const { record, divergences } of [played, replayed, resumed]) {
        expect(divergences).toEqual([])
        expect(withoutWall(record)).toEqual(withoutWall(expected.record))
      }
    }),
    { numRuns: 20, examples: [[conflictOfLoser, {}, 0, false]] },
  )
  expect(limited).toBeGreaterThan(3)
}, 30_000)

it('a trial replays alike if a faster branch cancelled others', async () => {
  const cutOffInside: Op[] = [{ race: [[{ race: [['produce']] }], ['produce']] }]
  await fc.assert(
    fc.asyncProperty(program, someLimits, fc.nat(), fc.boolean(), async (ops, limits, seed, isBusy) => {
      const setting = { ...trialOf(ops, limits), mode: 'live' as const }
      const played = await playTrial({ ...setting, agent: hasty(seed, isBusy) })
      for (const replay of [true, false]) {
        const again = await playTrial({ ...setting, agent: calm(isBusy), folder: played.folder, replay })
        expect(again.divergences).toEqual([])
        expect(withoutWall(again.record)).toEqual(withoutWall(played.record))
      }
    }),
    { numRuns: 20, examples: [[cutOffInside, {}, 148215656, false]] },
  )
}, 30_000)

it('a trial’s ledger and record agree after a crash between them, in races as well', async () => {
  // One that loses while what it had journaled comes to pass again, and one whose branch goes on after it was cut off.
  const losesLater: Op[] = [
    {
      race: [
        [{ side: [['produce']] }],
        [{ race: [['produce'], ['produce']] }],
        [
          { race: [['produce', 'produce', 'produce'], ['produce']] },
          { race: [['produce'], ['check', 'produce']] },
          'produce',
        ],
      ],
    },
    'produce',
  ]
  const goesOn: Op[] = [
    {
      race: [
        [{ side: [['produce'], ['produce', 'apply']] }, 'produce'],
        [
          {
            race: [
              ['check', 'produce', 'produce'],
              ['produce', 'produce'],
              ['produce', 'produce', 'state'],
            ],
          },
          'produce',
        ],
      ],
    },
    'produce',
  ]
  await fc.assert(
    fc.asyncProperty(
      program,
      someLimits,
      fc.nat(),
      fc.nat(),
      fc.boolean(),
      fc.boolean(),
      async (ops, limits, seed, kept, isBusy, paid) => {
        const setting = { ...trialOf(ops, limits), mode: 'live' as const }
        const { folder } = await playTrial({ ...setting, agent: { ...hasty(seed, isBusy), paid } })
        const file = join(folder, 'steps.jsonl')
        const lines = readFileSync(file, 'utf8').split(/(?<=\n)/)
        writeFileSync(file, lines.slice(0, kept % (lines.length + 1)).join(''))
        const resumed = await playTrial({ ...setting, agent: { ...hasty(seed + 1, isBusy), paid }, folder })
        const replayed = await playTrial({ ...setting, agent: calm(isBusy), folder, replay: true })
        expect([...resumed.divergences, ...replayed.divergences]).toEqual([])
        expect(withoutWall(replayed.record)).toEqual(withoutWall(resumed.record))
        const billed = resumed.steps.filter(({ kind, payer }) => kind === 'ask' && payer === 'method')
        expect(billed).toHaveLength(resumed.record.spent.calls)
      },
    ),
    {
      numRuns: 15,
      examples: [
        [losesLater, { costUsd: 0.02 }, 243644917, 9, false, false],
        [goesOn, { tokens: 111, timeMs: 871 }, 668957697, 9, false, false],
      ],
    },
  )
}, 30_000)

it('a trial that was stopped at any moment resumes from its ledger', async () => {
  let stopped = 0
  await fc.assert(
    fc.asyncProperty(
      program,
      someLimits,
      fc.nat(),
      fc.nat({ max: 6 }),
      fc.boolean(),
      fc.boolean(),
      async (ops, limits, seed, at, isBusy, paid) => {
        const setting = { ...trialOf(ops, limits), mode: 'live' as const }
        const folder = tempFolder()
        const stop = new AbortController()
        setMaxListeners(0, stop.signal)
        const agent = { ...hasty(seed, isBusy), paid }
        let calls = 0
        const stopping: typeof agent = {
          ...agent,
          ask: (request, signal) => {
            if (calls++ === at) setImmediate(() => stop.abort())
            return agent.ask(request, signal)
          },
        }
        const first = await playTrial({ ...setting, agent: stopping, folder, signal: stop.signal }).catch(
          (error: unknown) => {
            expect(error).toBeInstanceOf(Interrupted)
            stopped++
            return undefined
          },
        )
        const resumed =
          first ?? (await playTrial({ ...setting, agent: { ...hasty(seed + 1, isBusy), paid }, folder }))
        const replayed = await playTrial({ ...setting, agent: calm(isBusy), folder, replay: true })
        expect([...resumed.divergences, ...replayed.divergences]).toEqual([])
        expect(withoutWall(replayed.record)).toEqual(withoutWall(resumed.record))
      },
    ),
    { numRuns: 80 },
  )
  expect(stopped).toBeGreaterThan(2)
}, 30_000)
