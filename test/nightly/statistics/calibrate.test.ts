import { join } from 'node:path'
import { execa } from 'execa'
import { expect, inject, it } from 'vitest'
import { root } from '../../helpers/runs/cli.ts'

/** `npm run calibrate`, and the environment that it needs. */
const calibrate = join(root, 'scripts/calibrate.mjs')
const calibrateEnvironment = { ORCHESTRATION_BENCH_CACHE: inject('cache') }

const experiments = 200

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

it('calibration accepts 69 errors of 1,000, and an equally improbable number in fewer experiments', async () => {
  const program = `
    import { mostErrors } from ${JSON.stringify(join(root, 'scripts/calibration/band.mjs'))}
    console.log(JSON.stringify([1000, 200, 20].map(mostErrors)))`
  const { stdout } = await execa(process.execPath, ['--input-type=module', '--eval', program])
  // P(X > 69) = 0.35% of 1,000; P(X > 18) = 0.58% of 200, P(X > 19) less than that.
  expect(JSON.parse(stdout)).toEqual([69, 19, 4])
})

it('calibration refuses too few experiments and an unknown world', async () => {
  for (const args of [
    ['--experiments', '5'],
    ['--only', 'nonesuch'],
  ]) {
    const { exitCode, stderr } = await execa(process.execPath, [calibrate, ...args], {
      env: calibrateEnvironment,
      reject: false,
    })
    expect(exitCode).toBe(2)
    expect(stderr).toContain('A/A, 20 tasks, 1 epoch')
  }
})
