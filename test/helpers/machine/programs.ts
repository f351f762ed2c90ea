import fc from 'fast-check'
import { expect } from 'vitest'
import type { StrategyContext } from '../../../src/strategy.ts'
import { sha256 } from '../../../src/text/canonical-json.ts'
import { LimitError } from '../../../src/text/errors.ts'
import { type AnyContext, agentOf, answerTask, strategyOf } from '../runs/trial.ts'

/** A task of files, and an agent's reply that writes one. */
export const filesTask = () => answerTask({ output: 'files', editable: ['**'] }, { 'a.txt': 'as it was\n' })
export const write = (text: string) => `FILE: a.txt\n\`\`\`\n${text}\n\`\`\`\n`

export const withoutWall = ({ wall: _, ...rest }: { wall: unknown }) => rest

/** An operation of a method; parallel and racing branches contain further operations. */
export type Op =
  | 'produce'
  | 'judge'
  | 'check'
  | 'apply'
  | 'note'
  | 'state'
  | 'fail'
  | 'approve'
  | 'output'
  | 'remember'
  | { side: Op[][] }
  | { race: Op[][] }

export const program = fc.letrec<{ op: Op; ops: Op[] }>((tie) => ({
  op: fc.oneof(
    { maxDepth: 2, withCrossShrink: true },
    fc.constantFrom<Op>(
      ...([
        'produce',
        'judge',
        'check',
        'apply',
        'note',
        'state',
        'fail',
        'approve',
        'output',
        'remember',
      ] as const),
    ),
    fc.record({ side: fc.array(tie('ops'), { minLength: 1, maxLength: 3 }) }),
    fc.record({ race: fc.array(tie('ops'), { minLength: 1, maxLength: 3 }) }),
  ),
  ops: fc.array(tie('op'), { minLength: 1, maxLength: 5 }),
})).ops

export const someLimits = fc.record(
  {
    calls: fc.integer({ min: 0, max: 4 }),
    checks: fc.integer({ min: 0, max: 2 }),
    tokens: fc.integer({ min: 0, max: 500 }),
    costUsd: fc.constantFrom(0.005, 0.02, 0.03),
    timeMs: fc.integer({ min: 0, max: 3000 }),
  },
  { requiredKeys: [] },
)

/** Plays a program and catches every error. After the first refusal, every error must be the same. */
export const stubborn = (ops: readonly Op[]) =>
  strategyOf(async (context) => {
    const play = async (
      branchContext: AnyContext,
      ops: readonly Op[],
    ): Promise<StrategyContext<string, unknown>['workspace']> => {
      let refused: unknown
      let files = ''
      for (const [place, op] of ops.entries()) {
        if (op === 'fail' && branchContext !== context) throw new Error(`failed at ${place}`)
        let error: unknown
        try {
          await once(branchContext, op, `${place}`)
        } catch (thrown) {
          error = thrown
        }
        const now = branchContext.workspace.diff()
        if (refused !== undefined) {
          expect(error).toBe(refused)
          expect(now).toBe(files)
        } else if (error instanceof LimitError) {
          refused = error
          files = now
        }
      }
      return branchContext.workspace
    }
    const once = async (branchContext: AnyContext, op: Op, place: string): Promise<unknown> => {
      if (op === 'fail') return
      if (op === 'produce') return branchContext.ask('solver', place)
      if (op === 'judge') return branchContext.ask('judge', place)
      if (op === 'approve') return branchContext.approve(place)
      if (op === 'check') return branchContext.workspace.check()
      if (op === 'apply')
        return branchContext.workspace.apply([{ path: 'b.txt', content: `${place} ${branchContext.now()}` }])
      if (op === 'note') return branchContext.note({ type: 'place', place })
      if (op === 'output')
        return branchContext.outputs.write(
          `${place}.md`,
          `${branchContext.now()} ${branchContext.outputs.list()}`,
        )
      if (op === 'remember')
        return branchContext.ask('judge', place, { session: 's', sessionScope: 'trial', maxMessages: 5 })
      if (op === 'state') return branchContext.checkpoint({ place })
      if ('race' in op) {
        const named = op.race.map(
          (ops, i) => [`r${i}`, (branchContext: AnyContext) => play(branchContext, ops)] as const,
        )
        return branchContext.workspace.adopt((await branchContext.first(Object.fromEntries(named))).value)
      }
      const ended = await Promise.all(
        op.side.map((ops, i) => branchContext.branch(`s${i}`, (branchContext) => play(branchContext, ops))),
      )
      return branchContext.workspace.adopt(ended.at(-1) as (typeof ended)[number])
    }
    await play(context, ops)
    const { outputs, workspace, spent } = context
    const texts = outputs.list().map((path) => `${path}: ${outputs.read(path)}`)
    return { stopReason: 'done', detail: workspace.diff(), state: { texts, spent: spent() } }
  })

const noise = (text: string, most: number) => Number.parseInt(sha256(text).slice(0, 6), 16) % most

/** Answers after so many turns of the event loop, with times that are the same whatever these are; fails at times where it is busy. */
const agentAt = (pace: (key: string) => number, isBusy: boolean) =>
  agentOf(
    async ({ trial: { key }, role, attempt, turns = [], timeoutMs = Infinity }) => {
      for (let ticks = pace(key); ticks > 0; ticks--) await new Promise((resolve) => setImmediate(resolve))
      const durationMs = 100 + noise(key, 900)
      if (isBusy && noise(`${key} ${attempt}`, 5) === 0)
        return { durationMs: Math.min(50, timeoutMs), error: { reason: 'server', message: 'busy' } }
      if (durationMs > timeoutMs)
        return { durationMs: timeoutMs, error: { reason: 'timeout', message: 'too late' } }
      return {
        text: role === 'solver' ? write(key) : `fine, ${key} after ${turns.map(({ reply }) => reply.length)}`,
        durationMs,
      }
    },
    { virtualTime: true },
  )
export const calm = (isBusy = false) => agentAt(() => 0, isBusy)
/** The same agent with another order of its replies in time. */
export const hasty = (seed: number, isBusy = false) => agentAt((key) => noise(`${seed} ${key}`, 4), isBusy)
