import { chmodSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import { needs } from '../../helpers/house/needs.ts'
import { keepEnvironment } from '../../helpers/machine/environment.ts'
import { tempFolder } from '../../helpers/machine/temp.ts'

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
  const result = await run({ files: {}, command: ['/bin/sh', '-c', 'echo "$PATH"; ls /'], timeoutMs: 20_000 })
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
