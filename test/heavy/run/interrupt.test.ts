import { join } from 'node:path'
import { expect, it } from 'vitest'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { startBench } from '../../helpers/runs/cli.ts'

it('a run handles Ctrl-C while its trials never wait', async () => {
  const many = ['--tasks', 'lamp-paths', '--methods', 'baseline', '--epochs', '50000']
  const running = startBench([...many, '--out', join(tempFolder(), 'run'), '--parallel', '2'])
  await running.says(/\/50000 /)
  running.kill('SIGINT')
  const { code, stdout, stderr } = await running.ended
  expect({ code, stdout }).toEqual({ code: 130, stdout: '' })
  expect(stderr).toMatch(/interrupted after \d+ of 50000 trials/)
})
