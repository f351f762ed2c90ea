import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  symlinkSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { readFolder } from '../../../src/loop/branch/folder.ts'
import { readPlainText } from '../../../src/sandbox/folders/read-inside.ts'
import { removeTreeAsync } from '../../../src/sandbox/folders/remove-tree.ts'
import { needs } from '../../helpers/house/needs.ts'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { agentOf, answerTask, playTrial, strategyOf } from '../../helpers/runs/trial.ts'

const outside = 'what stands outside'

it('readFolder follows no link, reads only regular text files, and gives a reason for each entry that it skips', async () => {
  const folder = join(tempFolder(), 'work')
  const elsewhere = tempFolder()
  mkdirSync(folder)
  writeFileSync(join(elsewhere, 'private.txt'), outside)
  symlinkSync(join(elsewhere, 'private.txt'), join(folder, 'link.txt'))
  symlinkSync(elsewhere, join(folder, 'linked'))
  symlinkSync('nowhere', join(folder, 'dangling'))
  linkSync(join(elsewhere, 'private.txt'), join(folder, 'hard.txt'))
  expect(spawnSync('mkfifo', [join(folder, 'pipe')]).status).toBe(0)
  const server = createServer().listen(join(folder, 'socket'))
  await new Promise((resolve) => server.once('listening', resolve))
  writeFileSync(join(folder, 'binary'), Buffer.from([0xff, 0xfe, 0x00]))
  writeFileSync(join(folder, 'huge.txt'), '')
  truncateSync(join(folder, 'huge.txt'), 2 ** 40)
  writeFileSync(join(folder, 'a\\b'), 'x')
  writeFileSync(join(folder, 'bell\u0007'), 'x')
  writeFileSync(join(folder, 'plain.txt'), 'text')
  const { files, skipped } = readFolder(folder)
  server.close()
  expect(files).toEqual({ 'plain.txt': 'text' })
  expect(JSON.stringify(files)).not.toContain(outside)
  expect(Object.fromEntries(skipped.map(({ path, reason }) => [path, reason]))).toMatchSnapshot()
})

it('readFolder stops at its limits of files, bytes and path length', () => {
  const most = { fileBytes: 10, files: 5, bytes: 25 }
  const large = tempFolder()
  for (let i = 0; i < 4; i++) writeFileSync(join(large, `f${i}`), '123456789')
  const { files, skipped } = readFolder(large, most)
  expect(Object.keys(files)).toEqual(['f0', 'f1', 'f2'])
  expect(skipped).toEqual([{ path: 'f3', reason: 'comes after 25 bytes of others' }])

  const many = tempFolder()
  for (let i = 0; i < 7; i++) writeFileSync(join(many, `f${i}`), '')
  expect(Object.keys(readFolder(many, most).files)).toHaveLength(5)
  expect(readFolder(many, most).skipped.map(({ path }) => path)).toEqual(['f5', 'f6'])

  const deep = tempFolder()
  mkdirSync(join(deep, 'd/'.repeat(600)), { recursive: true })
  writeFileSync(join(deep, 'd/'.repeat(600), 'x'), '')
  expect(readFolder(deep)).toMatchObject({
    files: {},
    skipped: [{ reason: 'is a path of 1025 characters: at most 1024 may be' }],
  })
})

it('a file that an agent replaced by a link stays unchanged, and only missing files are deleted', async () => {
  const elsewhere = tempFolder()
  writeFileSync(join(elsewhere, 'private.txt'), outside)
  const task = answerTask(
    { output: 'files', editable: ['**'], graders: [] },
    { 'a.txt': 'a', 'b.txt': 'b', 'sub/c.txt': 'c', 'node_modules/own.txt': 'd' },
  )
  const seen: unknown[] = []
  const { steps } = await playTrial({
    task,
    agent: agentOf(async ({ workspace }) => {
      const path = await workspace.folder()
      unlinkSync(join(path, 'a.txt'))
      symlinkSync(join(elsewhere, 'private.txt'), join(path, 'a.txt'))
      unlinkSync(join(path, 'b.txt'))
      unlinkSync(join(path, 'sub/c.txt'))
      writeFileSync(join(path, 'new.txt'), 'new')
      return 'done'
    }),
    strategy: strategyOf(async ({ ask, workspace }) => {
      await ask('solver', 'go')
      seen.push(Object.fromEntries(workspace.list().map((path) => [path, workspace.read(path)])))
      return { stopReason: 'done' }
    }),
  })
  expect(seen).toEqual([{ 'a.txt': 'a', 'new.txt': 'new', 'node_modules/own.txt': 'd' }])
  expect(JSON.stringify(steps)).not.toContain(outside)
  expect(steps[0]).toMatchObject({
    changeSet: { source: 'folder', rejected: [{ path: 'a.txt', reason: 'is a symbolic link' }] },
  })
})

it('a step lists the first hundred refused files and the number of the others', async () => {
  const agent = agentOf(async ({ workspace }) => {
    const path = await workspace.folder()
    for (let i = 0; i < 150; i++) symlinkSync('nowhere', join(path, `${i}`))
    return 'done'
  })
  const strategy = strategyOf(async ({ ask }) => {
    await ask('solver', 'go')
    return { stopReason: 'done' }
  })
  const task = answerTask({ output: 'files', editable: ['**'], graders: [] })
  const [step] = (await playTrial({ task, agent, strategy })).steps
  const rejected = step?.kind === 'ask' ? step.changeSet?.rejected : undefined
  expect(rejected).toHaveLength(101)
  expect(rejected?.at(-1)).toEqual({ path: '(50 more)', reason: 'refused as well' })
})

it('removeTreeAsync removes a folder without permissions, and nothing behind its links', async () => {
  const folder = join(tempFolder(), 'work')
  const elsewhere = tempFolder()
  writeFileSync(join(elsewhere, 'kept.txt'), outside)
  mkdirSync(join(folder, 'closed'), { recursive: true })
  writeFileSync(join(folder, 'closed/file'), '')
  symlinkSync(elsewhere, join(folder, 'link'))
  chmodSync(join(folder, 'closed'), 0)
  await removeTreeAsync(folder)
  expect(existsSync(folder)).toBe(false)
  expect(readFileSync(join(elsewhere, 'kept.txt'), 'utf8')).toBe(outside)
})

it('readFolder skips files of version control tools and names that are not text, with a reason', () => {
  const folder = tempFolder()
  for (const name of ['.git', '.GIT', '.hg', 'sub/.Svn', 'git~1']) {
    mkdirSync(join(folder, name), { recursive: true })
    writeFileSync(join(folder, name, 'config'), 'x')
  }
  writeFileSync(join(folder, 'sub/.git'), 'gitdir: ../elsewhere')
  writeFileSync(Buffer.concat([Buffer.from(`${folder}/`), Buffer.from([0x61, 0xff])]), 'one')
  writeFileSync(Buffer.concat([Buffer.from(`${folder}/`), Buffer.from([0x61, 0xfe])]), 'other')
  writeFileSync(join(folder, 'a\nb'), 'x')
  writeFileSync(join(folder, '.gitignore'), 'x')
  const { files, skipped } = readFolder(folder)
  expect(files).toEqual({ '.gitignore': 'x' })
  const because = (pattern: RegExp) =>
    skipped.filter(({ reason }) => pattern.test(reason)).map(({ path }) => path)
  expect(because(/version control tool/)).toEqual(['.GIT', '.hg', 'git~1', 'sub/.Svn', 'sub/.git'])
  expect(because(/no file may be named so/).sort()).toEqual(['a\nb', 'a\ufffd', 'a\ufffd'])
})

it('all files stay unchanged if an agent removes its whole folder, and the trial continues', async () => {
  const task = answerTask({ output: 'files', editable: ['**'], graders: [] }, { 'a.txt': 'a' })
  const seen: string[][] = []
  const { steps, record } = await playTrial({
    task,
    agent: agentOf(async ({ workspace }) => {
      const path = await workspace.folder()
      await removeTreeAsync(path)
      symlinkSync('/etc', path)
      return 'done'
    }),
    strategy: strategyOf(async ({ ask, workspace }) => {
      await ask('solver', 'go')
      seen.push([...workspace.list()])
      return { stopReason: 'done' }
    }),
  })
  expect(seen).toEqual([['a.txt']])
  expect(record.outcome.status).toBe('completed')
  expect(steps[0]).toMatchObject({ changeSet: { changes: [], rejected: [{ path: '.' }] } })
})

needs('Linux').it('readPlainText reads at most its limit, whatever size the file reports', () => {
  const kernelFile = '/proc/version'
  expect(readPlainText(kernelFile, 10)).toEqual({ reason: 'is larger than 10 bytes' })
  const content = readFileSync(kernelFile, 'utf8')
  expect(readPlainText(kernelFile, 10_000)).toEqual({ content, size: Buffer.byteLength(content) })
})
