import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { Notification } from '../../../src/schema/run/notification.ts'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { bench } from '../../helpers/runs/cli.ts'
import { type HookCall, startHookServer } from '../../helpers/servers/hook-server.ts'

const told = (calls: readonly HookCall[]) => calls.map(({ body }) => Notification.parse(JSON.parse(body)))

describe('bench run --notify', () => {
  it('tells that trials wait for a person, with their questions', async () => {
    const { url, calls } = await startHookServer()
    const cwd = tempFolder()
    const text = `import { defineStrategy, z } from 'orchestration-bench'
      export default defineStrategy({
        name: 'asking', summary: 'Asks.', roles: { solver: 'produce' }, options: z.strictObject({}),
        run: async ({ approve, ask }) => {
          const answer = await ask('solver', 'Go.')
          await approve('Hand it in?')
          return { answer, stopReason: 'done' }
        },
      })`
    writeFileSync(join(cwd, 'asking.mjs'), text)
    const options = [
      '--tasks',
      'lamp-paths',
      '--methods',
      './asking.mjs',
      '--out',
      'run',
      '--approve',
      'park',
    ]
    expect((await bench([...options, '--notify', url], { cwd })).code).toBe(4)
    const [{ status, reason, exitCode, waiting } = {} as Notification] = told(calls)
    expect({ status, reason, exitCode }).toEqual({
      status: 'parked',
      reason: '1 trial waiting for a person',
      exitCode: 4,
    })
    expect(waiting).toEqual([{ trial: expect.any(String), question: 'Hand it in?' }])
  })

  it('tells that the run broke', async () => {
    const { url, calls } = await startHookServer()
    const cwd = tempFolder()
    const text =
      "import { rmSync } from 'node:fs'\nexport default () => rmSync('run', { recursive: true }) ?? 'x'\n"
    writeFileSync(join(cwd, 'removing.mjs'), text)
    const options = [
      '--tasks',
      'answers',
      '--methods',
      'baseline',
      '--agents',
      'scripted:removing.mjs',
      '--out',
      'run',
    ]
    expect((await bench([...options, '--notify', url], { cwd })).code).toBe(1)
    expect(told(calls)).toMatchObject([{ run: 'run', status: 'failed', exitCode: 1, trials: null }])
    expect(told(calls)[0]?.reason).toContain('run')
  })
})
