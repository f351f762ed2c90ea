import { join } from 'node:path'
import { expect } from 'vitest'
import { tempFolder } from '../../helpers/machine/temp.ts'
import {
  bench,
  benchOk,
  type Ended,
  recordLines,
  recordsOf,
  type Setting,
  soon,
  startBench,
} from '../../helpers/runs/cli.ts'

/** A finished run. */
export interface Run {
  folder: string
  /** The lines of records.jsonl without `wall`. */
  lines: string[]
  /** Its duration without the start of the process; ms. */
  ms: number
}

/** Both runs have the same records; tells by field where they differ, since whole records are pages long. */
export function expectSame(now: Run, before: Run): void {
  const differing = now.lines.flatMap((line, i) => {
    if (line === before.lines[i]) return []
    const [is, was] = [line, before.lines[i] ?? '{}'].map(
      (text) => JSON.parse(text) as Record<string, unknown>,
    )
    const fields = Object.keys({ ...was, ...is }).filter(
      (field) => JSON.stringify(is?.[field]) !== JSON.stringify(was?.[field]),
    )
    return [`${is?.method} on ${is?.task}, epoch ${is?.epoch}: ${fields.join(', ') || 'the order of fields'}`]
  })
  expect(differing, differing.join('; ')).toEqual([])
  expect(now.lines).toHaveLength(before.lines.length)
}

/** Trials in error are part of the simulation: exit code 1 says that there are some, no more. */
const ran = ({ code, stderr }: Ended) => expect(code === 0 || code === 1, stderr).toBe(true)

/** Runs a plan to its end. */
export const runOnce = (plan: readonly string[], env: NonNullable<Setting['env']>, ...more: string[]) =>
  runIn({ env }, [...plan, ...more])

/** The same in a setting. */
export async function runIn(setting: Setting, plan: readonly string[]): Promise<Run> {
  const folder = join(tempFolder(), 'run')
  const running = startBench([...plan, '--out', folder], setting)
  await running.says(/trials/)
  const started = performance.now()
  ran(await running.ended)
  return { folder, lines: recordLines(folder), ms: performance.now() - started }
}

/**
 * Runs a plan, ends it in the middle by a signal, and resumes it. Where the middle is is known only from another run:
 * a run that had ended before the signal is done again, with an earlier one.
 */
export async function runInTwo(
  plan: readonly string[],
  signal: 'SIGINT' | 'SIGKILL',
  like: Run,
): Promise<Run> {
  for (let wait = like.ms / 2; wait >= 1; wait /= 2) {
    const folder = join(tempFolder(), 'run')
    const running = startBench([...plan, '--out', folder])
    await running.says(/trials/)
    await soon(wait)
    running.kill(signal)
    const stopped = await running.ended
    if (stopped.code === 0 || stopped.code === 1) continue
    if (signal === 'SIGINT') {
      expect(stopped).toMatchObject({ code: 130 })
      // Finished trials are not recorded again.
      const done = recordsOf(folder)
      expect(done.length).toBeLessThan(like.lines.length)
      ran(await bench(['--resume', folder]))
      const kept = recordsOf(folder).map(({ trial, wall }) => `${trial} ${wall.startedAt}`)
      for (const { trial, wall } of done) expect(kept).toContain(`${trial} ${wall.startedAt}`)
    } else {
      expect(stopped).toMatchObject({ signal })
      ran(await bench(['--resume', folder]))
    }
    return { folder, lines: recordLines(folder), ms: 0 }
  }
  throw new Error(`the run always ended before ${signal}`)
}

/** Replays a run from its journal so many times; all must agree with the records and with each other. */
export async function replays({ folder, lines }: Run, times: number): Promise<void> {
  const replayed = JSON.parse(await benchOk(['replay', folder, '--times', String(times), '--json'])) as object
  expect(replayed).toMatchObject({ trials: lines.length, times, divergences: [] })
  expect(replayed).toHaveProperty('digests.length', 1)
}
