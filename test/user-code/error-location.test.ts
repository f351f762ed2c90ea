import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { locateError } from '../../src/user-code/error-location.ts'

const thrownAt = (...frames: string[]) =>
  Object.assign(new Error('boo'), {
    stack: ['Error: boo', ...frames.map((one) => `    at ${one}`)].join('\n'),
  })

describe('the place of an error', () => {
  const mine = join(process.cwd(), 'my.ts')

  it('is the first frame in a file of the user', () => {
    const error = thrownAt('Array.map (<anonymous>)', 'node:fs:3:4', `run (${mine}:12:30)`)
    expect(locateError(error)?.place).toBe('./my.ts:12:30')
  })

  it('is never in Node itself, at any depth of its folders', () => {
    const frames = [
      'process.processTicksAndRejections (node:internal/process/task_queues:95:5)',
      'async open (node:fs/promises:639:25)',
      'node:internal/main/run_main_module:28:49',
    ]
    expect(locateError(thrownAt(...frames))).toBeUndefined()
    expect(locateError(thrownAt(...frames, `${mine}:2:1`))?.place).toBe('./my.ts:2:1')
  })
})
