import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { graphPlan, outputsOf, sharedPlan, stagePlan, survives } from '../../cli/run/crash-scenario.ts'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { argv } from '../../helpers/runs/argv.ts'
import { bench, benchOk, soon, startBench, until, wholeLines } from '../../helpers/runs/cli.ts'

it('a run of graphs survives kill -9 at 15 random moments in the same way', () =>
  survives({ kills: 15, seed: 5, plan: graphPlan, branches: 4 }))

it('a run whose branches share outputs and a conversation survives kill -9 at 12 random moments, with the same outputs', () =>
  survives({ kills: 12, seed: 7, plan: sharedPlan, branches: 3 }))

it('a run whose stages are programs survives kill -9 at 10 random moments in the same way', () =>
  survives({
    ...{ kills: 10, seed: 9, plan: stagePlan, branches: 1, isTimed: true },
    // The probe of a sandbox would take more time than the run between two kills.
    options: ['--sandbox', 'none'],
  }))

it('outputs are the same after a resume, and a replay writes none', async () => {
  const folder = join(tempFolder(), 'run')
  await benchOk([...sharedPlan, '--quiet', '--yes', '--out', folder])
  const before = outputsOf(folder)
  expect(Object.keys(before).filter((path) => path.endsWith('outputs/notes/2.md')).length).toBeGreaterThan(2)
  rmSync(join(folder, 'artifacts'), { recursive: true })
  expect(await bench(['replay', folder])).toMatchObject({ code: 0 })
  expect(outputsOf(folder)).toEqual({})
})

it('the trace of a graph keeps its rules through kills and resumes', async () => {
  const folder = join(tempFolder(), 'run')
  const env = { WORKER_MS: '30' }
  for (let kills = 0; kills < 5; kills++) {
    const known = existsSync(join(folder, 'steps.jsonl'))
    const running = startBench(
      argv`${known ? ['--resume', folder] : [...graphPlan, '--out', folder]} --quiet --yes`,
      { env },
    )
    const before = known ? wholeLines(join(folder, 'steps.jsonl')).length : 0
    await until(
      () =>
        running.isOver() ||
        (existsSync(join(folder, 'steps.jsonl')) &&
          wholeLines(join(folder, 'steps.jsonl')).length > before + 3),
    )
    await soon(20 * kills)
    running.kill('SIGKILL')
    await running.ended
  }
  await benchOk(['--resume', folder, '--quiet', '--yes'], { env })
  const replayed = await bench(['replay', folder])
  expect(replayed.stdout + replayed.stderr).not.toContain('events.jsonl')
  expect(replayed.code).toBe(0)
})
