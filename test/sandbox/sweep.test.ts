import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { chownSync, existsSync, mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { unprivilegedUser } from '../../src/sandbox/adapters/find-bubblewrap.ts'
import { folderPrefix, parseOwner } from '../../src/sandbox/folders/folder-owner.ts'
import { createPrivateFolder } from '../../src/sandbox/folders/private-folder.ts'
import { isAlive, thisProcess } from '../../src/sandbox/machine/process-identity.ts'
import { sweepLeftovers } from '../../src/sandbox/sweep.ts'
import { needs } from '../helpers/house/needs.ts'
import { makeDeep } from '../helpers/machine/deep-folders.ts'
import { running } from '../helpers/machine/sandboxes.ts'
import { tempFolder } from '../helpers/machine/temp.ts'

/** Runs a sweep in a separate temporary folder, which contains only what the test put there. */
async function sweepIn(place: string): Promise<number> {
  const before = process.env.TMPDIR
  process.env.TMPDIR = place
  try {
    return await sweepLeftovers()
  } finally {
    if (before === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = before
  }
}

/** Returns a folder name of a process that has ended. */
const deadName = () => folderPrefix().replace(/-\d+-\d+-$/, '-999999999-1-') + randomUUID().slice(0, 6)

const until = async (holds: () => boolean) => {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 10))
}

it("parseOwner finds the owner of a folder by the folder's name, and whether it is alive", () => {
  const name = `${folderPrefix()}abc123`
  expect(parseOwner(name)).toEqual(thisProcess())
  expect(isAlive(thisProcess())).toBe(true)
  expect(isAlive({ ...thisProcess(), started: '1' })).toBe(process.platform !== 'linux')
})

it('parseOwner finds no owner for names of other tools, other machines and older versions', () => {
  const elsewhere = folderPrefix().replace(/^bench-\w+/, 'bench-00000000')
  for (const name of [
    'bench-abc123',
    `${elsewhere}abc123`,
    `${folderPrefix()}abc123.d`,
    `x${folderPrefix()}abc123`,
  ])
    expect(parseOwner(name)).toBeUndefined()
})

it('sweepLeftovers removes folders whose owner has ended, and no others', async () => {
  const place = tempFolder()
  const dead = join(place, deadName())
  mkdirSync(join(dead, 'workspace', 'deep'), { recursive: true })
  writeFileSync(join(dead, 'workspace', 'deep', 'file'), 'text')
  const living = mkdtempSync(join(place, folderPrefix()))
  const other = join(place, 'bench-000000-1-1-abcdef')
  mkdirSync(other)
  expect(await sweepIn(place)).toBe(1)
  expect([dead, living, other].map((path) => existsSync(path))).toEqual([false, true, true])
})

needs('root').it('sweepLeftovers removes folders that root gave to the unprivileged user', async () => {
  const place = tempFolder()
  const [handed, foreign] = [join(place, deadName()), join(place, deadName())]
  for (const path of [handed, foreign]) mkdirSync(path)
  chownSync(handed, unprivilegedUser, unprivilegedUser)
  chownSync(foreign, 1234, 1234)
  expect(await sweepIn(place)).toBe(1)
  expect([handed, foreign].map((path) => existsSync(path))).toEqual([false, true])
})

it('sweepLeftovers removes folders of any depth, and counts only removed ones', async () => {
  const place = tempFolder()
  const [deep, kept] = [join(place, deadName()), join(place, deadName())]
  makeDeep(join(deep, 'home'), 220)
  mkdirSync(kept)
  const file = join(kept, 'file')
  writeFileSync(file, '')
  // Only root may do that, and not every file system supports it.
  const isFixed = spawnSync('chattr', ['+i', file]).status === 0
  expect(await sweepIn(place)).toBe(isFixed ? 1 : 2)
  expect([deep, kept].map((path) => existsSync(path))).toEqual([false, isFixed])
  if (isFixed) expect(spawnSync('chattr', ['-i', file]).status).toBe(0)
  expect(await sweepIn(place)).toBe(isFixed ? 1 : 0)
})

it('sweepLeftovers follows no link, neither in place of a folder nor inside one', async () => {
  const place = tempFolder()
  const precious = join(place, 'precious')
  mkdirSync(precious)
  writeFileSync(join(precious, 'file'), 'text')
  symlinkSync(precious, join(place, deadName()))
  const dead = join(place, deadName())
  mkdirSync(dead)
  symlinkSync(precious, join(dead, 'link'))
  expect(await sweepIn(place)).toBe(1)
  expect(existsSync(join(precious, 'file'))).toBe(true)
})

needs('Linux').it(
  'sweepLeftovers ends processes that still run in such a folder, and no others',
  async () => {
    const place = tempFolder()
    const dead = join(place, deadName())
    mkdirSync(dead)
    const [token, other] = [randomUUID(), randomUUID()]
    const program = 'process.on("SIGTERM", () => {}); setInterval(() => {}, 1000)'
    const start = (name: string, env: NodeJS.ProcessEnv): ChildProcess =>
      spawn(process.execPath, ['-e', program, name], { stdio: 'ignore', detached: true, env })
    const left = start(token, { BENCH_SANDBOX: dead })
    const bystander = start(other, { BENCH_SANDBOX: `${dead}x` })
    onTestFinished(() => void [left, bystander].map((child) => child.kill('SIGKILL')))
    await until(() => running(token) === 1 && running(other) === 1)
    expect(await sweepIn(place)).toBe(1)
    expect([running(token), running(other)]).toEqual([0, 1])
  },
)

needs('Linux').it('sweepLeftovers removes the folders and processes of a killed harness', async () => {
  const place = tempFolder()
  const harness = spawn(process.execPath, ['-e', `process.stdout.write('up'); setInterval(() => {}, 1000)`], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  await new Promise((resolve) => harness.stdout.once('data', resolve))
  const started = isAlive({ pid: harness.pid ?? 0, started: null })
  const name = folderPrefix().replace(/-\d+-\d+-$/, `-${harness.pid}-0-`)
  mkdirSync(join(place, `${name}abcdef`))
  expect([started, await sweepIn(place)]).toEqual([true, 0])
  harness.kill('SIGKILL')
  await new Promise((resolve) => harness.once('exit', resolve))
  expect(await sweepIn(place)).toBe(1)
})

it('createPrivateFolder gives a folder a name that contains its owner', async () => {
  const folder = createPrivateFolder({})
  expect(parseOwner(folder.base.slice(tmpdir().length + 1))).toEqual(thisProcess())
  await folder.remove()
  expect(existsSync(folder.base)).toBe(false)
})
