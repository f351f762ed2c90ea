import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { execa } from 'execa'
import { tempFolder } from '../machine/temp.ts'

const person = ['-c', 'user.name=me', '-c', 'user.email=me@localhost', '-c', 'commit.gpgSign=false']

/** Calls git in a folder; gives what it prints. */
export const git = async (folder: string, ...args: string[]) =>
  (await execa('git', ['-C', folder, ...person, ...args])).stdout

/** Makes a repository with a commit for each set of files. */
export async function makeRepository(...commits: Record<string, string>[]): Promise<string> {
  const folder = join(tempFolder(), 'project')
  mkdirSync(folder)
  await git(folder, 'init', '--quiet')
  for (const [i, files] of commits.entries()) {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      writeFileSync(join(folder, path), text)
    }
    await commitAll(folder, `Commit ${i + 1}`)
  }
  return folder
}

export async function commitAll(folder: string, message: string): Promise<void> {
  await git(folder, 'add', '--all')
  await git(folder, 'commit', '--quiet', '-m', message)
}
