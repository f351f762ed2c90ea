import { join } from 'node:path'
import { execa } from 'execa'
import { expect, inject, it } from 'vitest'
import { root } from '../../helpers/runs/cli.ts'

/** `npm run calibrate`, and the environment that it needs. */
export const calibrate = join(root, 'scripts/calibrate.mjs')
export const calibrateEnvironment = { ORCHESTRATION_BENCH_CACHE: inject('cache') }

/** Declares the test of so many experiments in each world. */
export function rarelyWrong(experiments: number): void {
  it('dev runs call equal methods different, and miss the truth, no more often than accepted', {
    timeout: 900_000,
  }, async () => {
    const ended = await execa(process.execPath, [calibrate, '--experiments', String(experiments)], {
      env: calibrateEnvironment,
      reject: false,
    })
    process.stdout.write(`\n${ended.stdout}\n`)
    expect(ended.stderr).toBe('')
    expect(ended.exitCode).toBe(0)
    expect(ended.stdout).toContain('all rates are within their bands')
    expect(ended.stdout.match(/falsely better/g)).toHaveLength(5)
    // A planted effect is found in some, or nothing was planted at all.
    for (const [, found] of ended.stdout.matchAll(new RegExp(`effect found +(\\d+) of ${experiments}`, 'g')))
      expect(Number(found)).toBeGreaterThan(experiments / 10)
  })
}
