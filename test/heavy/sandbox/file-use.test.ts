import { expect, it } from 'vitest'
import { needs } from '../../helpers/house/needs.ts'
import { foldersLeft, openBubblewrap } from '../../helpers/machine/sandboxes.ts'

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
