import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import { expect, it } from 'vitest'
import { needs } from '../../helpers/house/needs.ts'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { root, shareProcess } from '../../helpers/runs/cli.ts'

shareProcess()

const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }

it('a command that waits for something that never comes ends as an internal error', async () => {
  const folder = tempFolder()
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  for (const part of ['package.json', 'dist'])
    cpSync(join(root, part), join(folder, part), { recursive: true })
  const runs = join(folder, 'dist/src/commands/runs.js')
  const ended = async (command: string) => {
    writeFileSync(runs, `export default ${command}`)
    const cli = join(folder, 'dist/src/cli.js')
    const { exitCode, stderr } = await execa(process.execPath, [cli, 'runs'], { reject: false })
    return { exitCode, stderr }
  }
  expect(await ended('() => new Promise(() => {})')).toMatchSnapshot()
  expect(await ended('async () => 0')).toEqual({ exitCode: 0, stderr: '' })
  // Node had nothing left to do, but a listener ended the wait.
  const late = "() => new Promise((done) => process.once('beforeExit', () => setImmediate(done, 0)))"
  expect(await ended(late)).toEqual({ exitCode: 0, stderr: '' })
})

it('bench --help prints no secret', async () => {
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

it('bench also runs by the former name of its bin, because npx keeps links', async () => {
  const said = async (name: string) => (await execa(join(root, 'dist/bench', name), ['--version'])).stdout
  expect(await said('cli.js')).toBe(version)
  expect(await said('cli.cjs')).toBe(version)
})

needs('Linux').it('bench keeps its exit code if nobody can read the error', async () => {
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

it('bench ends quietly when the reader of its output is gone', async () => {
  const child = execa(process.execPath, [join(root, 'dist/bench/cli.cjs'), 'tasks', '--json'], {
    reject: false,
  })
  child.stdout.once('data', () => child.stdout.destroy())
  const { stderr, exitCode } = await child
  expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 })
})
