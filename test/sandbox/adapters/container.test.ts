import { describe, expect, it } from 'vitest'
import { containerOptions } from '../../../src/sandbox/adapters/container.ts'
import { defaultLimits } from '../../../src/sandbox/limits.ts'
import type { SandboxProgram } from '../../../src/sandbox/sandbox.ts'

const host = { engine: 'docker' as const, program: '/usr/bin/docker', image: 'image:1', user: '1000:1000' }
const optionsOf = (
  engine: 'docker' | 'podman',
  command: string[],
  more: Pick<SandboxProgram, 'stage'> = {},
) =>
  containerOptions(
    { ...host, engine },
    'bench-name',
    { base: '/tmp/bench-name', workspace: '/tmp/bench-name/workspace' },
    { files: {}, command, env: { EXTRA: 'a b' }, ...more },
    { ...defaultLimits, cpuSeconds: 2.5, processes: 7, fileBytes: 1000 },
  )

describe('a container', () => {
  it('has no network and no capabilities, and can write only to the workspace and small folders in memory', () => {
    const options = optionsOf('docker', ['make', 'test'])
    expect(options).toEqual(
      expect.arrayContaining([
        '--network=none',
        '--read-only',
        '--cap-drop=ALL',
        '--security-opt=no-new-privileges',
        '--user=1000:1000',
        '--mount=type=bind,source=/tmp/bench-name/workspace,target=/workspace',
        '--tmpfs=/tmp:rw,nosuid,nodev,size=1000,mode=1777',
      ]),
    )
    expect(
      options.filter((option) => /^--(mount|volume|privileged|publish|pid=|ipc=)/.test(option)),
    ).toHaveLength(1)
  })

  it('of a stage has its files, which it cannot change, its state and its socket', () => {
    const open = () => {
      throw new Error('nothing is started')
    }
    const options = optionsOf('docker', ['make'], { stage: { files: {}, state: '', open } })
    const mount = '--mount=type=bind,source=/tmp/bench-name'
    expect(options.filter((option) => option.startsWith('--mount'))).toEqual([
      `${mount}/workspace,target=/workspace`,
      `${mount}/stage,target=/stage,readonly`,
      `${mount}/state,target=/state`,
      `${mount}/link/socket,target=/socket`,
    ])
  })

  it('has the limits of the command', () => {
    expect(optionsOf('docker', ['make'])).toEqual(
      expect.arrayContaining([
        '--pids-limit=7',
        '--ulimit=cpu=3:4',
        '--ulimit=fsize=1000:1000',
        `--memory=${1024 ** 3}`,
        '--shm-size=1000',
        `--ulimit=nofile=1024:1024`,
      ]),
    )
  })

  it('sets its variables, and starts the image’s node and python for paths of this machine', () => {
    expect(optionsOf('docker', ['make', 'a', 'b'])).toContain('--env=EXTRA=a b')
    expect(optionsOf('docker', ['make', 'a', 'b']).slice(-4)).toEqual(['image:1', 'make', 'a', 'b'])
    expect(optionsOf('docker', [process.execPath, 'x.mjs']).slice(-3)).toEqual(['image:1', 'node', 'x.mjs'])
    expect(optionsOf('docker', ['/home/me/.pyenv/bin/python3.12', '-S']).slice(-2)).toEqual(['python3', '-S'])
  })

  it('runs as the caller’s user, with podman, too', () => {
    expect(optionsOf('podman', ['make'])).toContain('--userns=keep-id')
    expect(optionsOf('docker', ['make'])).not.toContain('--userns=keep-id')
  })
})
