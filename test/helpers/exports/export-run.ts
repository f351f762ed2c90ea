import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { vi } from 'vitest'
import type { ExportOptions } from '../../../src/commands/exports/export-options.ts'
import exportRun from '../../../src/commands/exports/export-run.ts'
import { tempFolder } from '../machine/temp.ts'
import { root } from '../runs/cli.ts'

/** A run of this checkout with stages, graphs, checks and branches; its agents are simulated. */
export const published = join(root, 'results/published/simulated/run')

/** What an export wrote and said. */
export interface Exported {
  code: number
  out: string
  stdout: string
  said: string
}

/** Flags; undefined: not given. */
type Options = { [Flag in keyof ExportOptions]: ExportOptions[Flag] | undefined }

/** Exports a run, into a new place unless `out` is given or undefined. */
export async function exported(run: string, options: Options): Promise<Exported> {
  const out = options.to === undefined && !('out' in options) ? join(tempFolder(), 'out') : options.out
  const texts: Record<'stdout' | 'stderr', string> = { stdout: '', stderr: '' }
  const spies = (['stdout', 'stderr'] as const).map((stream) =>
    vi.spyOn(process[stream], 'write').mockImplementation((text) => {
      texts[stream] += String(text)
      return true
    }),
  )
  try {
    const given = Object.entries({ ...options, out }).filter(([, value]) => value !== undefined)
    const code = await exportRun(run, Object.fromEntries(given))
    return { code, out: out ?? '', stdout: texts.stdout, said: texts.stderr }
  } finally {
    for (const spy of spies) spy.mockRestore()
  }
}

/** The files of a folder, by path. */
export function filesOf(folder: string): Record<string, string> {
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((one) => one.isFile())
  return Object.fromEntries(
    paths
      .map((one) => join(one.parentPath, one.name))
      .toSorted()
      .map((path) => [path.slice(folder.length + 1), readFileSync(path, 'utf8')]),
  )
}
