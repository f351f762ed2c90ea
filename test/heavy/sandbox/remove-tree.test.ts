import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { delimiter, join } from 'node:path'
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { removeFolder } from '../../../src/sandbox/folders/private-folder.ts'
import { removeTree, removeTreeAsync } from '../../../src/sandbox/folders/remove-tree.ts'
import { needs } from '../../helpers/house/needs.ts'
import { makeDeep } from '../../helpers/machine/deep-folders.ts'
import { keepEnvironment } from '../../helpers/machine/environment.ts'
import { foldersLeft, openBubblewrap } from '../../helpers/machine/sandboxes.ts'
import { tempFolder } from '../../helpers/machine/temp.ts'

describe.each([
  ['at once', removeTree],
  ['in turns', removeTreeAsync],
])('%s', (_, remove) => {
  it('nested folders with a path above the system limit are removed with their contents', async () => {
    const folder = join(tempFolder(), 'deep')
    makeDeep(folder, 400)
    expect(await remove(folder)).toBe(true)
    expect(existsSync(folder)).toBe(false)
  })

  it('two deep folders in one parent are removed, even without permissions', async () => {
    const folder = join(tempFolder(), 'deep')
    makeDeep(join(folder, 'a'), 220)
    makeDeep(join(folder, 'b'), 60, 'e'.repeat(100))
    const closed = join(folder, 'a', 'd'.repeat(20), 'd'.repeat(20))
    for (const path of [closed, join(folder, 'b'), folder]) chmodSync(path, 0)
    expect(await remove(folder)).toBe(true)
    expect(existsSync(folder)).toBe(false)
  })

  it('names of any bytes are removed', async () => {
    const folder = join(tempFolder(), 'names')
    makeDeep(folder, 220)
    const names = ['a\nb', '-rf', ' ', '\u001b[2J', '*', '\\', '…', '\u202e']
    for (const name of names) writeFileSync(join(folder, name), '')
    const raw = (name: number[]) => Buffer.concat([Buffer.from(`${folder}/`), Buffer.from(name)])
    writeFileSync(raw([0xff, 0xfe]), '')
    mkdirSync(raw([0xc3, 0x28]))
    writeFileSync(raw([0xc3, 0x28, 0x2f, 0xff]), '')
    expect(await remove(folder)).toBe(true)
  })

  it('many files are removed beside a deep folder', async () => {
    const folder = join(tempFolder(), 'many')
    makeDeep(folder, 220)
    for (let i = 0; i < 500; i++) writeFileSync(join(folder, `${i}`), '')
    expect(await remove(folder)).toBe(true)
  })

  it('the target of a link stays, wherever the link is', async () => {
    const [place, outside] = [tempFolder(), tempFolder()]
    writeFileSync(join(outside, 'kept'), 'kept')
    const folder = join(place, 'linked')
    makeDeep(folder, 220)
    for (const inner of [
      folder,
      join(folder, 'd'.repeat(20)),
      join(folder, 'd'.repeat(20), 'd'.repeat(20)),
    ]) {
      symlinkSync(outside, join(inner, 'to-folder'))
      symlinkSync(join(outside, 'kept'), join(inner, 'to-file'))
      symlinkSync('nowhere', join(inner, 'to-nothing'))
      linkSync(join(outside, 'kept'), join(inner, 'hard'))
      expect(spawnSync('mkfifo', [join(inner, 'pipe')]).status).toBe(0)
    }
    const link = join(place, 'link')
    symlinkSync(outside, link)
    expect([await remove(folder), await remove(link)]).toEqual([true, true])
    expect([readdirSync(place), readdirSync(outside)]).toEqual([[], ['kept']])
    expect(readFileSync(join(outside, 'kept'), 'utf8')).toBe('kept')
    expect(lstatSync(join(outside, 'kept')).nlink).toBe(1)
  })

  it('a path that does not exist counts as removed', async () => {
    expect(await remove(join(tempFolder(), 'never'))).toBe(true)
  })
})

it('other work goes on while a large folder is removed', async () => {
  const folder = join(tempFolder(), 'many')
  mkdirSync(folder)
  writeFileSync(join(folder, 'file'), '')
  // Links are made much faster than files, and take as long to remove.
  for (let i = 0; i < 20_000; i++) linkSync(join(folder, 'file'), join(folder, `${i}`))
  let turns = 0
  const others = setInterval(() => turns++, 1)
  expect(await removeTreeAsync(folder)).toBe(true)
  clearInterval(others)
  expect(turns).toBeGreaterThan(0)
})

it('a folder that cannot be removed is reported, and everything beside it is removed', async () => {
  // A file of the kernel cannot be removed.
  expect(await removeFolder('/proc/self/task')).toBe(false)
})

const sandbox = await openBubblewrap()
const MiB = 1024 ** 2
const small = { workspaceBytes: 24 * MiB, workspaceFiles: 300 }

/** Runs a script of Node in the sandbox, with small limits for its files. */
async function filling(script: string, limits = {}) {
  const { run } = sandbox as NonNullable<typeof sandbox>
  const code = `const fs = require('fs'); const mib = Buffer.alloc(${MiB}, 1); ${script}`
  const command = [process.execPath, '-e', code]
  const result = await run({ files: {}, command, timeoutMs: 20_000, limits: { ...small, ...limits } })
  expect(foldersLeft()).toEqual([])
  return result
}

const ofBytes = {
  ended: 'files',
  reason: expect.stringMatching(/^was ended: its files exceeded 24 MiB together, /),
}
const ofFiles = { ended: 'files', reason: expect.stringMatching(/exceeded 300 files and folders together, /) }
/** Waits for the harness: a program that ends first is not what these attacks are. */
const wait = 'setInterval(() => {}, 1000)'

needs('bwrap').describe('what the files of a program take up', () => {
  it.each([
    ['many files', `for (let i = 0; i < 40; i++) fs.writeFileSync('f' + i, mib); ${wait}`],
    [
      'files in folders of folders',
      `fs.mkdirSync('a/b/c', { recursive: true }); for (let i = 0; i < 40; i++) fs.writeFileSync('a/b/c/f' + i, mib); ${wait}`,
    ],
    [
      'files that it removed but holds open',
      `for (let i = 0; i < 40; i++) { const fd = fs.openSync('f' + i, 'w'); fs.writeSync(fd, mib); fs.unlinkSync('f' + i) } ${wait}`,
    ],
    [
      'one file that grows',
      `const fd = fs.openSync('f', 'w'); for (let i = 0; i < 40; i++) fs.writeSync(fd, mib); ${wait}`,
    ],
    ['files that it leaves when it ends', `for (let i = 0; i < 40; i++) fs.writeFileSync('f' + i, mib)`],
  ])('the size of %s is limited as a whole', async (_, script) => {
    const { exitCode, killedBy, timedOut, ...end } = await filling(script)
    expect({ exitCode, killedBy, timedOut }).toEqual({ exitCode: null, killedBy: 'SIGKILL', timedOut: false })
    expect(end).toMatchObject(ofBytes)
  })

  it.each([
    ['its workspace', 'f'],
    ['/tmp', '/tmp/f'],
    ['/dev/shm', '/dev/shm/f'],
    ['its HOME', '/sandbox/f'],
  ])('the number of files in %s is limited', async (_, path) => {
    const script = `for (let i = 0; i < 400; i++) fs.mkdirSync('${path}' + i); ${wait}`
    expect(await filling(script)).toMatchObject({ ...ofFiles, timedOut: false })
  })

  it('a program within its limits is left alone, also with links and holes', async () => {
    const script = `fs.writeFileSync('f', mib); for (let i = 0; i < 100; i++) fs.linkSync('f', 'l' + i);
      fs.closeSync(fs.openSync('hole', 'w')); fs.truncateSync('hole', 60 * ${MiB}); fs.symlinkSync('/usr', 'usr')`
    expect(await filling(script)).toMatchObject({ exitCode: 0 })
  })
})

describe('silent python', () => {
  beforeEach(() => vi.resetModules())

  /** Puts a shell script first on PATH as python3. Found programs are remembered, so each test has modules of its own. */
  async function withPython(script: string) {
    onTestFinished(keepEnvironment())
    const folder = tempFolder()
    chmodSync(folder, 0o755)
    writeFileSync(join(folder, 'python3'), `#!/bin/sh\n${script}\n`, { mode: 0o755 })
    process.env.PATH = [folder, process.env.PATH].join(delimiter)
    const { findTool } = await import('../../../src/sandbox/tools/tools.ts')
    const { openSandbox } = await import('../../../src/sandbox/open-sandbox.ts')
    return { folder, findTool, openSandbox }
  }

  const answers = 'echo 3.11.7; echo "$0"'

  needs('bwrap').it.each([
    ['prints an empty line', 'echo 3.11.7; echo'],
    ['prints a relative path', 'echo 3.11.7; echo python3'],
    ['prints the working folder', 'echo 3.11.7; echo .'],
    ['prints nothing', 'exit 0'],
    ['fails', 'exit 1'],
  ])('a python3 that %s is missing and named, and the sandbox is full without it', async (_, script) => {
    const { folder, findTool, openSandbox } = await withPython(script)
    const silent = `python3 (${folder}/python3) did not say where it is installed, asked twice`
    expect(await findTool('python3')).toMatchObject({
      found: false,
      silent,
      remedy: expect.stringContaining(silent),
    })
    const { level, notes, run } = await openSandbox('bubblewrap')
    expect({ level, notes }).toEqual({ level: 'full', notes: [`${silent}; the sandbox does not show it`] })
    const result = await run({
      files: {},
      command: ['/bin/sh', '-c', 'echo "$PATH"; ls /'],
      timeoutMs: 20_000,
    })
    const [path = '', ...seen] = result.stdout.trim().split('\n')
    expect(path.split(':').filter((one) => !one.startsWith('/'))).toEqual([])
    expect(seen).not.toContain('root')
    await expect(run({ files: {}, command: ['python3', '-V'], timeoutMs: 20_000 })).rejects.toThrow(silent)
  })

  it('a python3 that answers when it is asked again counts as found', { timeout: 40_000 }, async () => {
    const { folder, findTool } = await withPython(
      `if [ -e "$0.asked" ]; then ${answers}; else : > "$0.asked"; exec sleep 60; fi`,
    )
    expect(await findTool('python3')).toMatchObject({
      found: true,
      path: join(folder, 'python3'),
      version: '3.11.7',
    })
  })

  it('no relative path and not the root is shown in a sandbox', async () => {
    const { requireShowable } = await import('../../../src/sandbox/tools/toolchain.ts')
    for (const path of ['.', '', 'python3', './bin', '/', '//', '/usr/..', '/.'])
      expect(() => requireShowable(path), path).toThrow(/cannot show the path/)
    expect(requireShowable('/usr/bin')).toBe('/usr/bin')
  })
})
