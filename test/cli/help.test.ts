import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import { expect, it } from 'vitest'
import { root } from '../helpers/cli.ts'
import { needs } from '../helpers/needs.ts'
import { tempFolder } from '../helpers/temp.ts'

const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }

/** The compiled command line alone, before it is bundled: what is not copied cannot be loaded. */
function alone(...parts: string[]): string {
  const folder = tempFolder()
  mkdirSync(join(folder, 'dist/src'), { recursive: true })
  for (const part of ['package.json', 'dist/src/cli.js', ...parts])
    cpSync(join(root, part), join(folder, part), { recursive: true })
  return folder
}

it('prints help with commander and the options alone', async () => {
  const folder = alone(
    'node_modules/commander',
    'dist/src/commands/run-flags.js',
    'dist/src/commands/repeated.js',
  )
  for (const args of [['--help'], ['help', 'replay'], ['run', '--help']]) {
    const { stdout, exitCode } = await execa(process.execPath, [join(folder, 'dist/src/cli.js'), ...args])
    expect(exitCode).toBe(0)
    expect(stdout).toContain('Usage: bench')
  }
})

it('prints its version without commander', async () => {
  const folder = alone('dist/src/package-root.js')
  for (const flag of ['--version', '-V'])
    expect((await execa(process.execPath, [join(folder, 'dist/src/cli.js'), flag])).stdout).toBe(version)
})

it('prints its first words without commander and the options', async () => {
  const parts = ['first-words', 'packaged-file', 'typed-command'].map(
    (name) => `dist/src/commands/${name}.js`,
  )
  const folder = alone('dist/src/package-root.js', ...parts)
  const { stdout } = await execa(process.execPath, [join(folder, 'dist/src/cli.js')])
  expect(stdout).toContain(' --help')
})

it('is a fault of bench where a command waits for what never comes', async () => {
  const folder = alone(
    'node_modules/commander',
    'dist/src/commands/run-flags.js',
    'dist/src/commands/repeated.js',
  )
  writeFileSync(join(folder, 'dist/src/commands/redact-output.js'), 'export const redactOutput = () => {}')
  writeFileSync(join(folder, 'dist/src/commands/escape-output.js'), 'export const escapeOutput = () => {}')
  const runs = join(folder, 'dist/src/commands/runs.js')
  const ended = async (command: string) => {
    writeFileSync(runs, `export default ${command}`)
    const cli = join(folder, 'dist/src/cli.js')
    const { exitCode, stderr } = await execa(process.execPath, [cli, 'runs'], { reject: false })
    return { exitCode, stderr }
  }
  expect(await ended('() => new Promise(() => {})')).toEqual({
    exitCode: 1,
    stderr: 'bench broke: it waits for something that never comes. This is a fault of bench.',
  })
  expect(await ended('async () => 0')).toEqual({ exitCode: 0, stderr: '' })
  // Nothing was left to do, and yet somebody ended the wait.
  const late = "() => new Promise((done) => process.once('beforeExit', () => setImmediate(done, 0)))"
  expect(await ended(late)).toEqual({ exitCode: 0, stderr: '' })
})

it('starts no part of Node that starts programs', async () => {
  const folder = tempFolder()
  const watch = join(folder, 'watch.cjs')
  writeFileSync(
    watch,
    "process.on('exit', () => process.stderr.write(process.moduleLoadList.filter((name) => /child_process|spawn_sync/.test(name)).join()))",
  )
  const loaded = async (...args: string[]) => {
    const call = ['--require', watch, join(root, 'dist/bench/cli.cjs'), ...args]
    return (await execa(process.execPath, call)).stderr
  }
  expect(await loaded('--help')).toBe('')
  expect(await loaded('--version')).toBe('')
  expect(await loaded()).toBe('')
  // That it would be seen.
  expect(await loaded('doctor')).toContain('child_process')
})

it('prints no secret beside a word for help', async () => {
  const env = { MY_API_KEY: 'sk-live-0123456789abcdef' }
  for (const args of [
    ['report', env.MY_API_KEY, 'help'],
    [env.MY_API_KEY, '--help'],
    ['run', `--${env.MY_API_KEY}`, 'help'],
    ['help', env.MY_API_KEY],
  ]) {
    const call = [join(root, 'dist/bench/cli.cjs'), ...args]
    const { all } = await execa(process.execPath, call, { env, all: true, reject: false })
    expect(all, args.join(' ')).not.toContain(env.MY_API_KEY)
    expect(all).not.toBe('')
  }
})

it('needs for neither of them the file that a run loads', async () => {
  const folder = tempFolder()
  cpSync(join(root, 'package.json'), join(folder, 'package.json'))
  const isOfRuns = (path: string) => /core-[\w-]+\.cjs$/.test(path)
  expect(readdirSync(join(root, 'dist/bench')).filter(isOfRuns)).toHaveLength(1)
  cpSync(join(root, 'dist/bench'), join(folder, 'dist/bench'), {
    recursive: true,
    filter: (path) => !isOfRuns(path),
  })
  const said = async (...args: string[]) =>
    (await execa(process.execPath, [join(folder, 'dist/bench/cli.cjs'), ...args])).stdout
  expect(await said('--version')).toBe(version)
  expect(await said()).toContain(' --tasks answers ')
  expect(await said('--help')).toContain('Usage: bench')
  expect(await said('run', '--help')).toContain('--methods')
})

it('is found by the name that its bin had before, too, for npx keeps its links', async () => {
  const said = async (name: string) => (await execa(join(root, 'dist/bench', name), ['--version'])).stdout
  expect(await said('cli.js')).toBe(version)
  expect(await said('cli.cjs')).toBe(version)
})

needs('Linux').it('refuses with its own exit code where nobody can read why', async () => {
  for (const args of [
    ['help', 'bogus'],
    ['bogus', '--help'],
    ['report', '/nowhere', 'help'],
  ]) {
    const command = `"$@" 2> /dev/full`
    const call = [process.execPath, join(root, 'dist/bench/cli.cjs'), ...args]
    const { exitCode } = await execa('sh', ['-c', command, 'sh', ...call], { reject: false })
    expect(exitCode, args.join(' ')).toBe(2)
  }
})

it('ends quietly when its reader has gone', async () => {
  const child = execa(process.execPath, [join(root, 'dist/bench/cli.cjs'), 'tasks', '--json'], {
    reject: false,
  })
  child.stdout.once('data', () => child.stdout.destroy())
  const { stderr, exitCode } = await child
  expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 })
})
