import { totalmem } from 'node:os'
import { runTool } from './run-tool.ts'

/** The memory that is available to a local model. */
export interface GpuMemory {
  kind: 'nvidia' | 'amd' | 'apple' | 'none'
  /** Sum over all cards; GiB, 0 without a card. */
  gib: number
}

/**
 * Queries the vendors' tools: nvidia-smi, rocm-smi, and sysctl on a Mac. A machine without any of them has no usable graphics
 * card. Never rejects.
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

/** Apple chips share one memory, of which macOS lets the GPU use three quarters. Intel Macs have no usable GPU. */
async function apple(): Promise<GpuMemory> {
  const [isArm] = await linesOf('sysctl', ['-n', 'hw.optional.arm64'])
  if (isArm?.trim() !== '1') return { kind: 'none', gib: 0 }
  const [text] = await linesOf('sysctl', ['-n', 'hw.memsize'])
  const bytes = Number(text) > 0 ? Number(text) : totalmem()
  return { kind: 'apple', gib: (bytes * 0.75) / 2 ** 30 }
}

const sum = (numbers: readonly number[]) =>
  numbers.filter((one) => Number.isFinite(one)).reduce((total, one) => total + one, 0)

async function linesOf(program: string, args: string[]): Promise<string[]> {
  const { failed, stdout } = await runTool(program, args)
  return failed ? [] : stdout.trim().split(/\r?\n/)
}
