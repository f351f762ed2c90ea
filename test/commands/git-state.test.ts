import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { execa } from 'execa'
import { expect, it, onTestFinished } from 'vitest'
import { gitState } from '../../src/commands/git-state.ts'
import { tempFolder } from '../helpers/temp.ts'

const git = (cwd: string, ...args: string[]) =>
  execa('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.c', ...args], { cwd })

it('tells the commit of a checkout, and whether it holds changes', async () => {
  const folder = tempFolder()
  await git(folder, 'init', '--quiet')
  expect(await gitState(folder)).toBeNull()

  writeFileSync(join(folder, 'a.txt'), 'one')
  await git(folder, 'add', 'a.txt')
  await git(folder, 'commit', '--quiet', '-m', 'one')
  const { stdout: commit } = await git(folder, 'rev-parse', 'HEAD')
  writeFileSync(join(folder, 'untracked.txt'), '')
  expect(await gitState(folder)).toEqual({ commit, dirty: false })

  writeFileSync(join(folder, 'a.txt'), 'two')
  expect(await gitState(folder)).toEqual({ commit, dirty: true })
})

it('tells nothing outside of a checkout', async () => {
  expect(await gitState(tempFolder())).toBeNull()
})

it('shows no key to git, nor to what a checkout makes git start', async () => {
  const before = { ...process.env }
  onTestFinished(() => {
    process.env = before
  })
  const folder = tempFolder()
  mkdirSync(join(folder, '.git'))
  writeFileSync(join(folder, 'git'), `#!/bin/sh\nenv >${join(folder, 'seen.txt')}\n`, { mode: 0o755 })
  process.env.PATH = `${folder}${delimiter}${process.env.PATH}`
  process.env.SOME_VENDOR_API_KEY = 'sk-0123456789abcdef'
  await gitState(folder)
  const seen = readFileSync(join(folder, 'seen.txt'), 'utf8')
  expect(seen).toContain('PATH=')
  expect(seen).not.toContain('sk-0123456789abcdef')
})
