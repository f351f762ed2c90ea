import { mkdirSync, rmSync } from 'node:fs'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import { afterEach, expect, it, vi } from 'vitest'
import { spawnUnsandboxed } from '../../../src/sandbox/process/spawn.ts'
import type { SandboxCommand, StageHost } from '../../../src/sandbox/sandbox.ts'
import { foldersLeft } from '../../helpers/machine/sandboxes.ts'
import { tempFolder } from '../../helpers/machine/temp.ts'

afterEach(() => vi.unstubAllEnvs())

const host: StageHost = { onConnection: () => {}, waitedMs: () => 0, end: async () => {} }
const command = (code: string, change: Partial<StageHost> = {}): SandboxCommand => ({
  files: {},
  command: ['node', '-e', code],
  stage: { files: {}, state: '', open: () => ({ ...host, ...change }) },
  timeoutMs: 20_000,
})

it('a temporary folder whose path is too long for a socket is an error with a remedy, and leaves nothing', async () => {
  const long = join(tempFolder(), 'x'.repeat(100))
  mkdirSync(long)
  vi.stubEnv('TMPDIR', long)
  await expect(spawnUnsandboxed(command(''))).rejects.toThrow(/Set TMPDIR to a folder with a short path/)
  expect(foldersLeft()).toEqual([])
  vi.unstubAllEnvs()
  rmSync(long, { recursive: true })
})

it('connections beyond the sixteenth are closed, and a connection that sends nothing does not keep a stage open', async () => {
  let accepted = 0
  const code = `
const open = Array.from({ length: 30 }, () => new Promise((resolve) => {
  const socket = require('node:net').connect(process.env.BENCH_SOCKET, () => setTimeout(() => resolve(!socket.destroyed), 300))
  socket.on('error', () => resolve(false)).on('end', () => socket.destroy()).resume()
}))
Promise.all(open).then((all) => { console.log(all.filter(Boolean).length); process.exit() })`
  const result = await spawnUnsandboxed(command(code, { onConnection: () => void accepted++ }))
  expect(accepted).toBe(16)
  expect(result).toMatchObject({ exitCode: 0, stdout: '16\n' })
})

it('the folders are there when the harness is told of the end, and no connection is open any more', async () => {
  const sockets: Socket[] = []
  const seen: unknown[] = []
  const result = await spawnUnsandboxed(
    command(`require('node:net').connect(process.env.BENCH_SOCKET).on('data', () => process.exit(3))`, {
      onConnection: (socket) => {
        sockets.push(socket.resume())
        socket.write('hello')
      },
      end: async ({ exitCode }) => void seen.push(exitCode, ...sockets.map(({ destroyed }) => destroyed)),
    }),
  )
  expect(seen).toEqual([3, true])
  expect(result.exitCode).toBe(3)
  expect(foldersLeft()).toEqual([])
})
