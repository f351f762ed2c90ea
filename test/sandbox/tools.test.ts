import { expect, it } from 'vitest'
import { findTool, findTools } from '../../src/sandbox/tools.ts'

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
