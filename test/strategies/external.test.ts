import { mkdirSync, realpathSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { documentsFor } from '../../src/commands/methods/documents.ts'
import { requireFolder } from '../../src/sandbox/folders/digest-folder.ts'
import type { Documents } from '../../src/strategy.ts'
import { play } from '../../src/testing.ts'
import { AgentError } from '../../src/text/errors.ts'
import { external } from '../../strategies/external.ts'
import { tempFolder } from '../helpers/machine/temp.ts'

const documents = (texts: Record<string, string>, folder?: ReturnType<NonNullable<Documents['folder']>>) =>
  ({ read: (path) => texts[path], folder: () => folder, list: () => undefined, shipped: {} }) as Documents
const resolved = (given: object, found: Documents) =>
  external.resolve?.(external.options.parse(given), found) as ReturnType<typeof external.options.parse>

describe('external reads its command', () => {
  it('as words, with the files that it names as texts', () => {
    const { program } = resolved(
      { command: "python3 'tools/my app.py' --fast x.txt" },
      documents({ 'tools/my app.py': 'print(1)' }),
    )
    expect(program).toEqual({
      command: ['python3', '{stage}/app/my app.py', '--fast', 'x.txt'],
      files: { 'app/my app.py': 'print(1)' },
      missing: [],
    })
  })

  it('and keeps two files of the same name apart', () => {
    const { program } = resolved(
      { command: 'sh a/run.sh b/run.sh a/run.sh' },
      documents({ 'a/run.sh': 'one', 'b/run.sh': 'two' }),
    )
    expect(program).toEqual({
      command: ['sh', '{stage}/app/run.sh', '{stage}/app/2/run.sh', '{stage}/app/run.sh'],
      files: { 'app/run.sh': 'one', 'app/2/run.sh': 'two' },
      missing: [],
    })
  })

  it('from a folder: its files are named by it, and its digest is an option', () => {
    const { program } = resolved(
      { command: ['venv/bin/python', '-m', 'app', './app.py', '{folder}/app.py', 'else.py'], folder: 'app' },
      documents({}, { digest: 'abc', files: ['app.py', 'venv/bin/python'] }),
    )
    expect(program).toEqual({
      command: ['{folder}/venv/bin/python', '-m', 'app', '{folder}/app.py', '{folder}/app.py', 'else.py'],
      files: {},
      digest: 'abc',
      missing: ['else.py'],
    })
  })

  it('and refuses what is no command, and what bench sets itself', () => {
    expect(() => resolved({ command: 'node app.mjs > out' }, documents({}))).toThrow(
      /the command has > outside of quotes/,
    )
    const held = { digest: 'abc', files: ['.env', 'node_modules/x/cert.pem'] }
    expect(() => resolved({ command: 'node', folder: 'app' }, documents({}, held))).toThrow(
      /holds \.env, which is named like a key/,
    )
    expect(() => resolved({ command: 'node', folder: 'none' }, documents({}))).toThrow(
      /there is no folder none/,
    )
    expect(() =>
      resolved({ command: 'node', program: { command: [], files: {}, missing: [] } }, documents({})),
    ).toThrow(/bench sets this option itself/)
    expect(external.options.safeParse({ roles: 'a:B' }).error?.issues[0]?.message).toMatch(
      /must be names of roles/,
    )
    expect(external.options.safeParse({ env: { BENCH_URL: 'x' } }).success).toBe(false)
  })

  it('the digest of a folder is that of its files, whatever lies in caches beside them', () => {
    const root = tempFolder()
    const folder = join(root, 'app')
    mkdirSync(join(folder, 'lib'), { recursive: true })
    writeFileSync(join(folder, 'app.py'), 'import lib')
    writeFileSync(join(folder, 'lib/__init__.py'), '')
    const digestNow = () => documentsFor(external, true).folder?.(folder)
    const first = digestNow()
    expect(first?.files).toEqual(['app.py', 'lib/__init__.py'])
    mkdirSync(join(folder, '__pycache__'))
    writeFileSync(join(folder, '__pycache__/app.pyc'), 'x')
    expect(digestNow()).toEqual(first)
    expect(requireFolder(folder, first?.digest ?? '')).toBe(realpathSync(folder))
    writeFileSync(join(folder, 'lib/__init__.py'), 'x = 1')
    expect(digestNow()?.digest).not.toBe(first?.digest)
    // It is read once in a process.
    expect(() => requireFolder(`${folder}/`, 'other')).toThrow(
      /has changed since the run began\. Restore it, or begin a new run/,
    )
    expect(() => requireFolder(join(root, 'none'), 'other')).toThrow(/the folder .*none is not there\./)
    expect(documentsFor(external, true).folder?.(join(root, 'none'))).toBeUndefined()
  })

  it('a folder that is no application’s is refused before it is read', () => {
    const root = tempFolder()
    writeFileSync(join(root, 'large.bin'), '')
    truncateSync(join(root, 'large.bin'), 4 * 1024 ** 3 + 1)
    const read = (folder: string) => () => documentsFor(external, true).folder?.(folder)
    expect(read(root)).toThrow(/cannot be read whole: it holds more than 4 GiB\. Name a folder/)
    for (const folder of ['/', process.cwd()]) expect(read(folder)).toThrow(/which holds the working folder/)
    mkdirSync(join(root, '.ssh'))
    expect(read(join(root, '.ssh'))).toThrow(/is named like a place of keys/)
  })
})

describe('external runs its program', () => {
  const options = {
    ...external.options.parse({ roles: 'planner:coder', env: { MODE: 'fast' } }),
    program: { command: ['node', 'x'], files: {}, missing: [] },
  }
  const run = (scene: object) =>
    play(external, options, [], { files: { a: '1' }, stages: [{ id: 'application', ...scene }] })

  it('with the task as text and as JSON, and hands in what it left', async () => {
    const { result, files, stages } = await run({ stdout: 'Done.\n', asks: 2, files: { a: '2' } })
    expect(result).toEqual({ answer: 'Done.', stopReason: 'done', detail: 'requests to models: 2' })
    expect(files).toEqual({ a: '2' })
    const [{ program } = {}] = stages
    expect(program).toMatchObject({ command: ['node', 'x'], env: { MODE: 'fast' }, timeoutMs: 600_000 })
    expect(JSON.parse(program?.files?.['task.json'] ?? '')).toMatchObject({
      roles: ['planner', 'coder'],
      instruction: program?.models?.stdin,
    })
  })

  it('says that it asked no model, and that nothing was handed in', async () => {
    expect((await run({ stdout: '' })).result).toMatchObject({
      stopReason: 'halted',
      detail: 'nothing was handed in; it asked no model',
    })
  })

  it('fails with its exit code or its limit, and as its provider does where that failed last', async () => {
    await expect(run({ exitCode: 3, output: 'a\nKeyError: x\n' })).rejects.toThrow(
      'the program ended with exit code 3: KeyError: x',
    )
    await expect(run({ exitCode: null, reason: 'was ended by SIGKILL' })).rejects.toThrow(
      'the program was ended by SIGKILL',
    )
    const crash =
      'file:///x.mjs:1\nthrow x\n      ^\n\nTypeError: x is 1\n    at x.mjs:1:7 {\n  a: 1\n}\n\nNode.js v20.20.2\n'
    await expect(run({ exitCode: 1, output: crash })).rejects.toThrow('exit code 1: TypeError: x is 1')
    const failedAsk = new AgentError('server', '[agent x] 503')
    await expect(run({ exitCode: 1, failedAsk })).rejects.toBe(failedAsk)
    // A limit of the program ends the request in flight, too.
    const reason = 'still running after the limit of 1000 ms'
    await expect(run({ exitCode: null, reason, failedAsk })).rejects.toThrow(
      'the program was still running after 600 s, its timeoutSeconds',
    )
  })
})
