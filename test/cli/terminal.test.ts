import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import { expect, inject, onTestFinished } from 'vitest'
import { needs } from '../helpers/house/needs.ts'
import { tempFolder } from '../helpers/machine/temp.ts'
import { program, recordsOf } from '../helpers/runs/cli.ts'
import { startModelServer } from '../model-server/server.ts'

const args = [
  ...['--tasks', 'ferry-morning', '--methods', 'baseline', '--quiet', '--mode', 'live'],
  ...['--agents', 'openai-compatible:little', '--allow-unsandboxed', '--out', 'run', '--confirm-above', '1'],
]

/** Starts a live run of unknown cost in a new terminal, and types the answer to its question. */
async function answering(typed: string) {
  const server = await startModelServer([{ text: 'Answer: 42', always: true }])
  onTestFinished(() => server.close())
  const cwd = tempFolder()
  const words = [process.execPath, program, ...args].map((word) => `'${word}'`).join(' ')
  const env = { ORCHESTRATION_BENCH_CACHE: inject('cache'), OPENAI_COMPATIBLE_BASE_URL: `${server.url}/v1` }
  const child = execa('script', ['--quiet', '--return', '--command', words, '/dev/null'], {
    cwd,
    env,
    reject: false,
    timeout: 120_000,
    killSignal: 'SIGKILL',
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  let shown = ''
  child.stdout.on('data', (chunk: Buffer) => {
    const isAsked = shown.includes('[y/N]')
    shown += chunk
    if (!isAsked && shown.includes('[y/N]')) child.stdin.write(typed)
  })
  const { exitCode } = await child
  return { shown, exitCode, asked: server.asked(), folder: join(cwd, 'run') }
}

needs('script').it(
  'bench asks in a terminal before a live run that may cost more than allowed, and runs after yes',
  async () => {
    const { shown, exitCode, asked, folder } = await answering('y\r')
    expect(shown).toMatch(/total: unknown[\s\S]*The run may cost more than \$1\.00\. Run it\? \[y\/N\]/)
    expect(exitCode, shown).toBe(0)
    expect(asked).toBe(1)
    expect(recordsOf(folder)).toHaveLength(1)
  },
)

for (const [answer, typed] of [
  ['n', 'n\r'],
  ['another word', 'yes please\r'],
  ['nothing', '\r'],
  ['Ctrl-C', '\x03'],
  ['Ctrl-D', '\x04'],
] as const)
  needs('script').it(`the answer ${answer} starts no run and leaves no files`, async () => {
    const { shown, exitCode, asked, folder } = await answering(typed)
    expect(exitCode, shown).toBe(130)
    expect(asked).toBe(0)
    expect(existsSync(folder)).toBe(false)
    expect(shown).not.toMatch(/^\s+at |Internal error|Warning/m)
  })
