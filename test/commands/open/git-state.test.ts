import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { execa } from 'execa'
import { expect, it, onTestFinished } from 'vitest'
import { gitStates } from '../../../src/commands/open/git-state.ts'
import { keepEnvironment } from '../../helpers/machine/environment.ts'
import { tempFolder } from '../../helpers/machine/temp.ts'

const git = (cwd: string, ...args: string[]) =>
  execa('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.c', ...args], { cwd })

/** A checkout with one commit of these files. */
async function checkout(...files: string[]) {
  const folder = tempFolder()
  await git(folder, 'init', '--quiet')
  for (const file of files) {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    writeFileSync(join(folder, file), 'one')
  }
  await git(folder, 'add', '.')
  await git(folder, 'commit', '--quiet', '-m', 'one')
  return { folder, commit: (await git(folder, 'rev-parse', 'HEAD')).stdout }
}

it('gitStates returns the commit of a checkout and whether it has changes', async () => {
  const empty = tempFolder()
  await git(empty, 'init', '--quiet')
  expect((await gitStates(empty, tempFolder())).here).toBeNull()

  const { folder, commit } = await checkout('a.txt')
  writeFileSync(join(folder, 'untracked.txt'), '')
  expect((await gitStates(folder, tempFolder())).here).toEqual({ commit, dirty: false })

  writeFileSync(join(folder, 'a.txt'), 'two')
  expect((await gitStates(folder, tempFolder())).here).toEqual({ commit, dirty: true })
})

it('gitStates returns the commit of bench separately from the commit of the project it is called in', async () => {
  const own = await checkout('src/a file.ts', 'README.md')
  const project = await checkout('b.txt')
  const state = () => gitStates(project.folder, own.folder)
  expect(await state()).toEqual({
    here: { commit: project.commit, dirty: false },
    harness: { commit: own.commit, dirty: false },
  })
  // A changed README does not change the harness; changed or renamed code does.
  writeFileSync(join(own.folder, 'README.md'), 'two')
  expect((await state()).harness?.dirty).toBe(false)
  await git(own.folder, 'mv', 'src/a file.ts', 'src/b file.ts')
  expect((await state()).harness?.dirty).toBe(true)
  const both = await gitStates(own.folder, own.folder)
  expect(both).toEqual({
    here: { commit: own.commit, dirty: true },
    harness: { commit: own.commit, dirty: true },
  })
})

it('gitStates returns null outside a checkout, and for a bench that is installed in one', async () => {
  expect(await gitStates(tempFolder(), tempFolder())).toEqual({ here: null, harness: null })
  const { folder } = await checkout('a.txt')
  const installed = join(folder, 'node_modules/bench')
  mkdirSync(installed, { recursive: true })
  expect((await gitStates(folder, installed)).harness).toBeNull()
})

it('gitStates passes no key to git or to programs that git starts', async () => {
  onTestFinished(keepEnvironment())
  const folder = tempFolder()
  mkdirSync(join(folder, '.git'))
  writeFileSync(join(folder, 'git'), `#!/bin/sh\nenv >${join(folder, 'seen.txt')}\n`, { mode: 0o755 })
  process.env.PATH = `${folder}${delimiter}${process.env.PATH}`
  process.env.SOME_VENDOR_API_KEY = 'sk-0123456789abcdef'
  await gitStates(folder)
  const seen = readFileSync(join(folder, 'seen.txt'), 'utf8')
  expect(seen).toContain('PATH=')
  expect(seen).not.toContain('sk-0123456789abcdef')
})
