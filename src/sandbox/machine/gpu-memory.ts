import { totalmem } from 'node:os'
import { runTool } from './run-tool.ts'

/** The memory in which a local model can run fast. */
export interface GpuMemory {
  kind: 'nvidia' | 'amd' | 'apple' | 'none'
  /** Of all cards together; GiB, 0 without a card. */
  gib: number
}

/**
 * Asks the programs of the vendors: nvidia-smi, rocm-smi, on a Mac sysctl. A machine without any of them has no
 * graphics card that counts. Never rejects.
 */
export async function gpuMemory(platform: string = process.platform): Promise<GpuMemory> {
  const nvidia = await linesOf('nvidia-smi', ['--query-gpu=memory.total', '--format=csv,noheader,nounits'])
  const mebibytes = sum(nvidia.map(Number))
  if (mebibytes > 0) return { kind: 'nvidia', gib: mebibytes / 1024 }
  const amd = await linesOf('rocm-smi', ['--showmeminfo', 'vram', '--csv'])
  const bytes = sum(amd.map((line) => Number(/^card\d+,(\d+)/.exec(line)?.[1])))
  if (bytes > 0) return { kind: 'amd', gib: bytes / 2 ** 30 }
  if (platform === 'darwin') return apple()
  return { kind: 'none', gib: 0 }
}

/** Apple's chips share one memory, three quarters of which macOS lets the graphics part use. Intel Macs have no such part. */
async function apple(): Promise<GpuMemory> {
  const [isArm] = await linesOf('sysctl', ['-n', 'hw.optional.arm64'])
  if (isArm?.trim() !== '1') return { kind: 'none', gib: 0 }
  const [told] = await linesOf('sysctl', ['-n', 'hw.memsize'])
  const bytes = Number(told) > 0 ? Number(told) : totalmem()
  return { kind: 'apple', gib: (bytes * 0.75) / 2 ** 30 }
}

const sum = (numbers: readonly number[]) =>
  numbers.filter((one) => Number.isFinite(one)).reduce((total, one) => total + one, 0)

/** What a program prints, by line; none where it is missing, fails or does not end. */
async function linesOf(program: string, args: string[]): Promise<string[]> {
  const { failed, stdout } = await runTool(program, args)
  return failed ? [] : stdout.trim().split(/\r?\n/)
}
