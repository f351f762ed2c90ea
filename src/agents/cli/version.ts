import { execa } from 'execa'
import type { CliKind } from './kind.ts'

/** What the program says of its version; a HOME and an environment of its own, so that it touches nothing of the user's. */
export async function versionOf({ program }: Pick<CliKind, 'program'>): Promise<string> {
  const result = await execa(program, ['--version'], {
    extendEnv: false,
    env: { PATH: process.env.PATH ?? '', HOME: '/nonexistent' },
    stdin: 'ignore',
    timeout: 30_000,
    reject: false,
  })
  return /\d+\.\d+\.\d+\S*/.exec(`${result.stdout}`)?.[0] ?? 'unknown'
}
