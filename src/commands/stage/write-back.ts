import { chmodSync, existsSync, lstatSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { writeAtomic } from '../../base/write-atomic.ts'
import { removeInside, replaceInside } from '../../sandbox/folders/write-inside.ts'
import type { Files } from '../../schema/task.ts'
import { UserError } from '../../text/errors.ts'

const Changes = z.object({
  /** The text of the state file. */
  state: z.string(),
  /** Texts by path in the workspace; null is a deleted file. */
  files: z.record(z.string(), z.string().nullable()),
})
export type Changes = z.infer<typeof Changes>

const pendingPath = (home: string) => join(home, 'pending.json')

/** What a workflow must still be, so that nobody's work is overwritten. */
export interface Before {
  state: string
  /** The files that the stage began with. */
  files: Files
}

/**
 * Writes what a stage changed into its workflow: all of it or nothing. The changes are first written beside it as a whole, so that a
 * process that is killed meanwhile leaves them for `finishWriteBack`. Throws `UserError` if the workflow is not what it was.
 */
export function writeBack(home: string, before: Before, changes: Changes): void {
  const changed = [
    ...(readFileSync(join(home, 'state.json'), 'utf8') === before.state ? [] : ['state.json']),
    ...Object.keys(changes.files).filter((path) => !isAsBefore(home, path, before.files, changes.files)),
  ]
  if (changed.length > 0)
    throw new UserError({
      where: home,
      what: `is as it was: what the stage made is not written, since these are not what it began with: ${changed.join(', ')}`,
      fix: 'They were changed meanwhile, were left out, or hold a secret. Run the stage again, or take its work from the run folder.',
    })
  writeAtomic(pendingPath(home), JSON.stringify(changes), { durable: true })
  finishWriteBack(home)
}

/** Whether a path has the content that the stage began with, and nothing stands where a folder of it would be. */
function isAsBefore(home: string, path: string, before: Files, after: Changes['files']): boolean {
  const names = path.split('/')
  for (const [i] of names.slice(0, -1).entries()) {
    const folder = names.slice(0, i + 1).join('/')
    const there = lstatSync(join(home, 'workspace', folder), { throwIfNoEntry: false })
    if (!there || after[folder] === null) return !Object.hasOwn(before, path)
    if (!there.isDirectory()) return false
  }
  const file = join(home, 'workspace', path)
  const there = lstatSync(file, { throwIfNoEntry: false })
  if (!Object.hasOwn(before, path)) return there === undefined
  return there?.isFile() === true && readFileSync(file, 'utf8') === before[path]
}

/** Writes the changes that an earlier process did not finish to write. Without any, nothing happens. */
export function finishWriteBack(home: string): void {
  const path = pendingPath(home)
  if (!existsSync(path)) return
  const { state, files } = Changes.parse(JSON.parse(readFileSync(path, 'utf8')))
  const draft = 'pending.draft'
  // Deletions first: a folder may stand where a file was.
  for (const [name, text] of Object.entries(files)) if (text === null) removeInside(home, `workspace/${name}`)
  for (const [name, text] of Object.entries(files)) {
    if (text === null) continue
    const place = join(home, 'workspace', name)
    const mode = lstatSync(place, { throwIfNoEntry: false })?.mode
    replaceInside(home, `workspace/${name}`, text, { draft, durable: true })
    if (mode !== undefined) chmodSync(place, mode & 0o777)
  }
  writeAtomic(join(home, 'state.json'), state, { durable: true })
  rmSync(path)
}
