import { expect, it } from 'vitest'
import { packageVersion } from '../../../src/base/package-root.ts'
import { machineFacts, requireSameMachine } from '../../../src/commands/open/machine-facts.ts'
import type { RunManifest } from '../../../src/schema/run/run.ts'
import type { Task } from '../../../src/schema/task.ts'

const tasks = [{ spec: { requires: ['node'] } }, { spec: { requires: [] } }] as unknown as Task[]
const full = { level: 'full', adapter: 'bubblewrap' } as const
const begun = (changes: object = {}) =>
  ({
    id: 'r1',
    versions: { bench: packageVersion(), node: process.versions.node, platform: 'x' },
    harness: null,
    queue: { sandbox: 'full', tools: { node: process.version } },
    ...changes,
  }) as unknown as RunManifest

it('a machine is told by what its code runs in, and by the programs that tasks need and it has', async () => {
  expect(await machineFacts(tasks, full)).toEqual({ sandbox: 'full', tools: { node: process.version } })
  const other = [{ spec: { requires: ['no-such-program'] } }] as unknown as Task[]
  expect(await machineFacts(other, undefined)).toEqual({ sandbox: null, tools: {} })
})

it('a worker like the machine where the run began may work, and one that lacks a program, too', async () => {
  await requireSameMachine(begun(), tasks, full)
  await requireSameMachine(
    begun({ queue: { sandbox: 'full', tools: { 'no-such-program': '1' } } }),
    tasks,
    full,
  )
})

it.each([
  [
    { versions: { bench: packageVersion(), node: '1.2.3', platform: 'x' } },
    'the major version of Node (1 there, ',
  ],
  [{ versions: { bench: '0.0.0', node: process.versions.node, platform: 'x' } }, 'bench (0.0.0 there, '],
  [
    { harness: { code: 'abcdef0123', graders: 'x' } },
    'its code (abcdef01 there, not built here), its graders (x there',
  ],
  [{ queue: { sandbox: 'partial', tools: {} } }, 'the level of the sandbox (partial there, full here)'],
  [{ queue: { sandbox: 'full', tools: { node: 'v1' } } }, `node (v1 there, ${process.version} here)`],
])('one that differs is refused with what differs: %j', async (changes, text) => {
  const refusal = await requireSameMachine(begun(changes), tasks, full).catch((error) => error.message)
  expect(refusal).toContain(`differs from where run r1 began: ${text}`)
  expect(refusal.split('\n')).toHaveLength(1)
})
