import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { recordsOf, soon, until } from '../../helpers/runs/cli.ts'
import { gated } from '../../helpers/scenarios/lock-scenario.ts'

it('exactly one of several resumers takes over the lock of a killed process', async () => {
  const { folder, begin, resume, calls, open } = gated()
  const dead = begin()
  await until(() => dead.isOver() || calls().length > 0)
  dead.kill('SIGKILL')
  expect(await dead.ended).toMatchObject({ signal: 'SIGKILL' })
  expect(existsSync(join(folder, 'lock'))).toBe(true)

  const resumers = Array.from({ length: 4 }, resume)
  const working = () => resumers.filter((one) => !one.isOver())
  await until(() => working().length <= 1)
  // A second winner would have asked by now.
  await soon(100)
  open()
  const ends = await Promise.all(resumers.map(({ ended }) => ended))
  expect(ends.map(({ code }) => code).sort()).toEqual([0, 2, 2, 2])
  for (const { code, stderr } of ends) if (code === 2) expect(stderr).toMatch(/another bench .*is using/)
  expect(new Set(calls().filter((pid) => pid !== dead.pid)).size).toBe(1)
  expect(new Set(recordsOf(folder).map(({ trial }) => trial)).size).toBe(4)
  expect(recordsOf(folder)).toHaveLength(4)
})
