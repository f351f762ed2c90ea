import { expect, it } from 'vitest'
import { runTool } from '../../../src/sandbox/machine/run-tool.ts'
import { needs } from '../../helpers/house/needs.ts'

needs('Linux').it(
  'runTool does not wait for a child that a tool left behind with its output open',
  async () => {
    const started = performance.now()
    const { stdout, exitCode, failed } = await runTool('sh', ['-c', 'echo done; (sleep 20 &)'], {
      timeout: 15_000,
    })
    expect({ stdout, exitCode, failed }).toEqual({ stdout: 'done', exitCode: 0, failed: false })
    expect(performance.now() - started).toBeLessThan(10_000)
  },
)

needs('Linux').it(
  'runTool ends a tool at its time limit, even if another process holds its output',
  async () => {
    const started = performance.now()
    const ended = await runTool('sh', ['-c', 'trap "" TERM; sleep 20; echo'], { timeout: 300 })
    expect(ended).toMatchObject({ failed: true, timedOut: true })
    expect(performance.now() - started).toBeLessThan(10_000)
  },
)

it('runTool returns all of a long output', async () => {
  const print = 'process.stdout.write("x".repeat(3_000_000))'
  const { stdout } = await runTool(process.execPath, ['-e', print])
  expect(stdout).toHaveLength(3_000_000)
})
