import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { bench, benchOk, recordLines, type Setting } from '../../helpers/runs/cli.ts'

/** Runs every shard of a plan. Returns their folders. */
export async function runShards(
  plan: readonly string[],
  of: number,
  setting?: Setting,
  place = tempFolder(),
): Promise<string[]> {
  const folders = Array.from({ length: of }, (_, k) => join(place, `s${k + 1}`))
  for (const [k, folder] of folders.entries())
    await benchOk([...plan, '--shard', `${k + 1}/${of}`, '--out', folder, '--quiet'], setting)
  return folders
}

/** Joins folders into a new one. Returns it, and what bench says. */
export async function joinAll(folders: readonly string[]): Promise<{ run: string; said: string }> {
  const run = join(tempFolder(), 'joined')
  const { code, stderr } = await bench(['runs', 'join', ...folders, '--out', run])
  expect(code, stderr).toBe(0)
  return { run, said: stderr }
}

/** The report of a run without its name, the breaks of lines, which depend on it, and the commit of the checkout that is worked on. */
export async function reportOf(run: string): Promise<string> {
  const text = await benchOk(['report', run, '--notes', '--tasks', '--peek'])
  const plain = text.replaceAll(run, 'RUN').replace(/-{2,}/g, '-').replace(/\s+/g, ' ')
  return plain.replace(/commit [0-9a-f]+(?: with changes)?/g, 'commit')
}

/** The run is as one that was not split: the same records but for `wall`, in the same order, and the same report. */
export async function expectWhole(run: string, whole: string): Promise<void> {
  expect(recordLines(run)).toEqual(recordLines(whole))
  expect(await reportOf(run)).toBe(await reportOf(whole))
}

/** All files of a folder by their paths. */
export const filesOf = (folder: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name))
      .sort()
      .map((path) => [path.slice(folder.length + 1), readFileSync(path, 'latin1')]),
  )
