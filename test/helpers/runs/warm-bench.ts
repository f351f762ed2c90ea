import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { inject, onTestFinished } from 'vitest'
import { tempFolder } from '../machine/temp.ts'

/** What a call of the command line printed, and its exit code. */
interface Called {
  code: number
  stdout: string
  stderr: string
}

// To start a process takes ten times as long as most calls that only read.
let host: ChildProcess | undefined
let isBusy = false

/** Whether a call can begin now: there is one process, and it takes one call at a time. */
export const isWarmBenchFree = () => !isBusy

/** Calls the built command line in a process that has it loaded already. Only for calls that leave nothing behind. */
export async function callWarmBench(
  args: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string | undefined>> = {},
): Promise<Called> {
  const result = join(tempFolder(), 'result.json')
  host ??= startHost()
  const current = host
  isBusy = true
  // What a failed test leaves running must not disturb the next one.
  onTestFinished(() => void (isBusy && current.kill('SIGKILL')))
  let noise = ''
  const onNoise = (chunk: Buffer) => {
    noise += chunk
  }
  current.stderr?.on('data', onNoise)
  await new Promise<void>((resolve) => {
    current.once('message', () => resolve()).once('exit', () => resolve())
    current.send({
      args,
      cwd,
      env: Object.entries(env).map(([name, value]) => [name, value ?? null]),
      result,
    })
  })
  current.stderr?.off('data', onNoise).resume()
  current.removeAllListeners('message').removeAllListeners('exit')
  if (current.exitCode !== null || current.signalCode !== null) host = undefined
  isBusy = false
  if (!existsSync(result)) throw new Error(`bench ${args.join(' ')} ended without a result: ${noise}`)
  return JSON.parse(readFileSync(result, 'utf8')) as Called
}

function startHost(): ChildProcess {
  const child = spawn(process.execPath, [fileURLToPath(new URL('warm-main.mjs', import.meta.url))], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: {
      ...process.env,
      ORCHESTRATION_BENCH_CACHE: inject('cache'),
      BENCH_DEBUG: undefined,
      FORCE_COLOR: undefined,
    },
  })
  child.stdout?.resume()
  // It ends when this process ends, and must not keep it.
  child.unref()
  child.channel?.unref()
  for (const stream of [child.stdout, child.stderr]) (stream as unknown as { unref(): void }).unref()
  return child
}
