import { join } from 'node:path'
import { execa } from 'execa'
import { expect, it } from 'vitest'
import { calibrate, calibrateEnvironment, rarelyWrong } from '../../heavy/statistics/calibrate-scenario.ts'
import { root } from '../../helpers/runs/cli.ts'

it('calibration accepts 69 errors of 1,000, and an equally improbable number in fewer experiments', async () => {
  const program = `
    import { mostErrors } from ${JSON.stringify(join(root, 'scripts/calibration/band.mjs'))}
    console.log(JSON.stringify([1000, 200, 20].map(mostErrors)))`
  const { stdout } = await execa(process.execPath, ['--input-type=module', '--eval', program])
  // P(X > 69) = 0.35% of 1,000; P(X > 18) = 0.58% of 200, P(X > 19) less than that.
  expect(JSON.parse(stdout)).toEqual([69, 19, 4])
})

// More run in test/nightly.
rarelyWrong(50)

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
