import { expect, it } from 'vitest'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { bench, startBench } from '../../helpers/runs/cli.ts'
import { callWarmBench } from '../../helpers/runs/warm-bench.ts'

const run = ['--tasks', 'ferry-morning', '--methods', 'baseline', '--agents', 'oracle', '--quiet']

it('a call of bench in a process of many calls prints the same and ends as in a process of its own', async () => {
  const cwd = tempFolder()
  expect(await bench([...run, '--out', 'run'], { cwd })).toMatchObject({ code: 0 })
  for (const args of [['report', 'run'], ['show', 'nowhere'], ['--help'], ['run', '--nonsense']])
    expect(await bench(args, { cwd }), args.join(' ')).toEqual(await startBench(args, { cwd }).ended)
})

it('a call of bench keeps nothing of the one before it: folder, variables, arguments and exit code', async () => {
  const [one, other] = [tempFolder(), tempFolder()]
  expect(await bench([...run, '--out', 'run'], { cwd: one })).toMatchObject({ code: 0 })
  const model = [...run, '--mode', 'live', '--agents', 'openai-compatible:m', '--out', 'live']
  const env = { OPENAI_COMPATIBLE_BASE_URL: 'http://127.0.0.1:9/v1' }
  expect((await bench([...model, '--dry-run'], { cwd: one, env })).stderr).not.toContain('is not set')
  expect((await bench(model, { cwd: one })).stderr).toContain('OPENAI_COMPATIBLE_BASE_URL is not set')
  expect(await bench(['show', 'run'], { cwd: other })).toMatchObject({ code: 2, stdout: '' })
  expect(await bench(['show', 'run'], { cwd: one })).toMatchObject({ code: 0, stderr: '' })
})

it('a call of bench that cannot begin in its folder fails its test with the reason', async () => {
  await expect(callWarmBench(['runs'], '/nowhere/at/all')).rejects.toThrow(
    /bench runs ended without a result.*ENOENT/s,
  )
  expect(await bench(['runs'])).toMatchObject({ code: 2 })
})
