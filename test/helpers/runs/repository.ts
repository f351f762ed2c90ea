import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import { tempFolder, writeFiles } from '../machine/temp.ts'

const person = ['-c', 'user.name=me', '-c', 'user.email=me@localhost', '-c', 'commit.gpgSign=false']

/** Calls git in a folder; gives what it prints. */
export const git = async (folder: string, ...args: string[]): Promise<string> =>
  (await execa('git', ['-C', folder, ...person, ...args])).stdout

/** Makes a repository `project` in a folder of its own, with a commit for each set of files. */
export async function makeRepository(...commits: Readonly<Record<string, string>>[]): Promise<string> {
  const folder = join(tempFolder(), 'project')
  mkdirSync(folder)
  await git(folder, 'init', '--quiet')
  for (const [i, files] of commits.entries()) {
    writeFiles(folder, files)
    await commitAll(folder, `Commit ${i + 1}`)
  }
  return folder
}

/** Commits all that is there. */
export async function commitAll(folder: string, message: string): Promise<void> {
  await git(folder, 'add', '--all')
  await git(folder, 'commit', '--quiet', '-m', message)
}
