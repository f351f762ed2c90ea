import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { needs } from '../../helpers/house/needs.ts'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { inTerminal } from '../../helpers/machine/terminal.ts'
import { recordsOf } from '../../helpers/runs/cli.ts'
import { startModelServer } from '../../model-server/server.ts'

const args = [
  ...['--tasks', 'ferry-morning', '--methods', 'baseline', '--quiet', '--mode', 'live'],
  ...['--agents', 'openai-compatible:little', '--allow-unsandboxed', '--out', 'run', '--confirm-above', '1'],
]

/** Starts a live run of unknown cost in a new terminal, and types the answer to its question. */
async function answering(typed: string) {
  const server = await startModelServer([{ text: 'Answer: 42', always: true }])
  onTestFinished(() => server.close())
  const cwd = tempFolder()
  const env = { OPENAI_COMPATIBLE_BASE_URL: `${server.url}/v1` }
  const { shown, exitCode } = await inTerminal(args, [[/\[y\/N\]/, typed]], { cwd, env })
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
