import { execa } from 'execa'
import { inject, onTestFinished } from 'vitest'
import { program } from '../runs/cli.ts'

/** What a person types when a text appears. */
export type Typed = readonly [shown: string | RegExp, keys: string]

/**
 * Runs the built command line in a new terminal, made by `script`. Each entry of `typing` is typed in turn, once its text has appeared
 * after what was typed before.
 */
export async function inTerminal(
  args: readonly string[],
  typing: readonly Typed[],
  { cwd, env = {} }: { cwd: string; env?: Record<string, string | undefined> },
): Promise<{ shown: string; exitCode: number | undefined }> {
  const words = [process.execPath, program, ...args].map((word) => `'${word}'`).join(' ')
  const child = execa('script', ['--quiet', '--return', '--command', words, '/dev/null'], {
    cwd,
    // A terminal in CI is nobody's.
    env: { ORCHESTRATION_BENCH_CACHE: inject('cache'), CI: undefined, ...env },
    reject: false,
    timeout: 120_000,
    killSignal: 'SIGKILL',
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const left = [...typing]
  let shown = ''
  let from = 0
  child.stdout.on('data', (chunk: Buffer) => {
    shown += chunk
    const [next] = left
    if (!next) return
    const found = shown.slice(from).search(next[0])
    if (found < 0) return
    left.shift()
    from = shown.length
    child.stdin.write(next[1])
  })
  const { exitCode } = await child
  return { shown, exitCode }
}
