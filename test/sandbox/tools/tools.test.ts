import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { findBubblewrap } from '../../../src/sandbox/adapters/find-bubblewrap.ts'
import { mountFolders } from '../../../src/sandbox/tools/mount-folders.ts'
import { findTool, findTools, versionOf } from '../../../src/sandbox/tools/tools.ts'
import { needs } from '../../helpers/house/needs.ts'
import { keepEnvironment } from '../../helpers/machine/environment.ts'
import { tempFolder } from '../../helpers/machine/temp.ts'

it('findTool finds the running Node without starting it', async () => {
  expect(await findTool('node')).toMatchObject({
    found: true,
    path: process.execPath,
    version: process.version,
  })
})

it('findTool reports the version of an installed program, and how to install a missing one', async () => {
  const [git, missing] = await findTools(['git', 'no-such-program'])
  expect(git).toMatchObject({ found: true, version: expect.stringMatching(/^git version \d/) })
  expect(missing).toMatchObject({
    found: false,
    version: '',
    remedy: expect.stringContaining('no-such-program'),
  })
})

it('findTool returns the interpreter itself for python3, or the remedy', async () => {
  const python = await findTool('python3')
  if (python.found)
    expect(python).toMatchObject({
      path: expect.stringMatching(/^\//),
      version: expect.stringMatching(/^3\./),
    })
  else expect(python.remedy).toContain('python')
})

/** Puts a folder at the front of PATH and a key into the environment, for one test. */
function withKey(): string {
  onTestFinished(keepEnvironment())
  const folder = tempFolder()
  process.env.PATH = `${folder}${delimiter}${process.env.PATH}`
  process.env.SOME_VENDOR_API_KEY = 'sk-0123456789abcdef'
  return folder
}

it('findTool passes the environment without keys to programs that it starts', async () => {
  const folder = withKey()
  const script = '#!/bin/sh\necho "key:$SOME_VENDOR_API_KEY home:$PYENV_ROOT"\n'
  writeFileSync(join(folder, 'curious'), script, { mode: 0o755 })
  process.env.PYENV_ROOT = '/somewhere'
  expect((await findTool('curious')).version).toBe('key: home:/somewhere')
})

it('openSandbox passes no key to bubblewrap when it asks for its version', async () => {
  const folder = withKey()
  const seen = join(folder, 'seen.txt')
  writeFileSync(join(folder, 'bwrap'), `#!/bin/sh\nenv >${seen}\necho bubblewrap 0.8.0\n`, { mode: 0o755 })
  for (const name of ['prlimit', 'setpriv', 'unshare', 'nsenter'])
    writeFileSync(join(folder, name), '#!/bin/sh\n', { mode: 0o755 })
  expect(await findBubblewrap()).toMatchObject({ bwrap: join(folder, 'bwrap'), disablesUserns: true })
  expect(readFileSync(seen, 'utf8')).toContain('PATH=')
  expect(readFileSync(seen, 'utf8')).not.toContain('sk-0123456789abcdef')
})

it.each([
  ['prints its version', 'echo agent 1.2.3', '1.2.3'],
  ['fails', 'exit 3', 'unknown'],
  ['hangs', 'exec sleep 60', 'unknown'],
])(
  'findTool gives a program a temporary HOME, which is removed when the program %s',
  async (_, end, version) => {
    const folder = tempFolder()
    const [program, seen] = [join(folder, 'agent'), join(folder, 'home.txt')]
    writeFileSync(program, `#!/bin/sh\necho x >"$HOME/left.txt" && echo "$HOME" >${seen}\n${end}\n`, {
      mode: 0o755,
    })
    expect(await versionOf(program, 1000)).toBe(version)
    const home = readFileSync(seen, 'utf8').trim()
    expect(home).toMatch(/\/bench-[^/]+$/)
    expect(existsSync(home)).toBe(false)
  },
)

needs('mount').it(
  'a mount lets another user into a folder of root, and is visible only in its namespace',
  async () => {
    const closed = join(tempFolder(), 'tools') // below a folder of mode 0700
    mkdirSync(closed)
    writeFileSync(join(closed, 'tool'), 'a tool')
    const opened = await mountFolders('unshare', [closed], [])
    const at = opened?.at.get(closed) ?? ''
    const asNobody = (...namespace: string[]) =>
      spawnSync(
        'nsenter',
        [...namespace, '--setgid=61000', '--setuid=61000', '--', 'cat', join(at, 'tool')],
        {
          encoding: 'utf8',
        },
      ).stdout
    expect(asNobody(`--mount=${opened?.namespace}`)).toBe('a tool')
    expect(existsSync(join(at, 'tool'))).toBe(false)
    expect(readFileSync('/proc/self/mountinfo', 'utf8')).not.toContain(at)
  },
)

it('no mount is made if every candidate mount point contains needed folders', async () => {
  expect(await mountFolders('unshare', ['/mnt/a', '/media/b', '/srv/c'], [])).toBeUndefined()
})
