import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { gpuMemory } from '../../../src/sandbox/machine/gpu-memory.ts'

const path = process.env.PATH
const folders: string[] = []
afterEach(() => {
  process.env.PATH = path
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true })
})

/** Puts only these programs on PATH; each prints a text. */
function onlyPrograms(programs: Readonly<Record<string, string>>): void {
  const folder = mkdtempSync(join(tmpdir(), 'gpu-'))
  folders.push(folder)
  for (const [name, script] of Object.entries(programs)) {
    const file = join(folder, name)
    writeFileSync(file, `#!${process.execPath}\n${script}\n`)
    chmodSync(file, 0o755)
  }
  process.env.PATH = folder
}
const prints = (text: string) => `process.stdout.write(${JSON.stringify(text)})`

describe('graphics memory', () => {
  it('is the sum over all NVIDIA cards', async () => {
    onlyPrograms({ 'nvidia-smi': prints('24564\n24564\n') })
    expect(await gpuMemory('linux')).toEqual({ kind: 'nvidia', gib: 49128 / 1024 })
  })

  it('comes from rocm-smi if nvidia-smi fails', async () => {
    const table =
      'device,VRAM Total Memory (B),VRAM Total Used Memory (B)\ncard0,17163091968,10764288\ncard1,8589934592,1\n'
    onlyPrograms({ 'nvidia-smi': 'process.exit(9)', 'rocm-smi': prints(table) })
    expect(await gpuMemory('linux')).toEqual({ kind: 'amd', gib: (17163091968 + 8589934592) / 2 ** 30 })
  })

  it("is three quarters of an Apple chip's memory", async () => {
    onlyPrograms({
      sysctl: "console.log(process.argv[3] === 'hw.memsize' ? 34359738368 : 1)",
    })
    expect(await gpuMemory('darwin')).toEqual({ kind: 'apple', gib: 24 })
  })

  it.each([
    ['no tool of a vendor', {}, 'linux'],
    ['a driver that finds no card', { 'nvidia-smi': prints('No devices were found\n') }, 'linux'],
    ['a Mac with an Intel chip', { sysctl: 'process.exit(1)' }, 'darwin'],
  ] as const)('is 0 with %s', async (_, programs, platform) => {
    onlyPrograms(programs)
    expect(await gpuMemory(platform)).toEqual({ kind: 'none', gib: 0 })
  })
})
