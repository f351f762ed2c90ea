import { writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { findTool, findTools } from '../../src/sandbox/tools.ts'
import { tempFolder } from '../helpers/temp.ts'

it('finds the running Node without starting it', async () => {
  expect(await findTool('node')).toMatchObject({
    found: true,
    path: process.execPath,
    version: process.version,
  })
})

it('tells the version of a program that is there, and how to get one that is not', async () => {
  const [git, missing] = await findTools(['git', 'no-such-program'])
  expect(git).toMatchObject({ found: true, version: expect.stringMatching(/^git version \d/) })
  expect(missing).toMatchObject({
    found: false,
    version: '',
    remedy: expect.stringContaining('no-such-program'),
  })
})

it('gives the interpreter itself for python3, or the remedy', async () => {
  const python = await findTool('python3')
  if (python.found)
    expect(python).toMatchObject({
      path: expect.stringMatching(/^\//),
      version: expect.stringMatching(/^3\./),
    })
  else expect(python.remedy).toContain('python')
})

it('looks a program up once', () => {
  expect(findTool('git')).toBe(findTool('git'))
})

it('shows no key to the programs that it looks up, and the rest of the environment', async () => {
  const before = { ...process.env }
  onTestFinished(() => {
    process.env = before
  })
  const folder = tempFolder()
  const script = '#!/bin/sh\necho "key:$SOME_VENDOR_API_KEY home:$PYENV_ROOT"\n'
  writeFileSync(join(folder, 'curious'), script, { mode: 0o755 })
  process.env.PATH = `${folder}${delimiter}${process.env.PATH}`
  process.env.SOME_VENDOR_API_KEY = 'sk-0123456789abcdef'
  process.env.PYENV_ROOT = '/somewhere'
  expect((await findTool('curious')).version).toBe('key: home:/somewhere')
})
