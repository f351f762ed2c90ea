import { existsSync, readdirSync, statSync } from 'node:fs'
import { join, sep } from 'node:path'
import { UserError } from '../../text/errors.ts'
import { runFiles } from '../journal/run-files.ts'

/** Why nobody can go on with a block, and how its files were then. */
export interface BlockDamage {
  /** The damage with its remedy, in one line. */
  what: string
  /** Its files, as they were then. */
  state: string
}

/** Returns what is damaged in the folder of a block, if an error tells of that; undefined for any other error. */
export function damageOf(error: unknown, folder: string): BlockDamage | undefined {
  const isInside =
    error instanceof UserError && error.problems.some(({ where }) => where.startsWith(folder + sep))
  return isInside ? { what: error.message.replaceAll('\n', ' '), state: stateOf(folder) } : undefined
}

/** Whether a block is as it was when it was found damaged, so that nobody needs to try it again. */
export const isStillDamaged = (folder: string, damage: BlockDamage | undefined): boolean =>
  damage !== undefined && damage.state === stateOf(folder)

/** Returns the names, sizes and times of the files of a block but for its lock: after a change somebody may have mended it. */
function stateOf(folder: string): string {
  const names = ['', 'blobs'].flatMap((inner) =>
    existsSync(join(folder, inner)) ? readdirSync(join(folder, inner)).map((name) => join(inner, name)) : [],
  )
  return names
    .filter((name) => !name.startsWith(runFiles.lock))
    .sort()
    .map((name) => {
      const stat = statSync(join(folder, name), { throwIfNoEntry: false })
      return `${name} ${stat?.isFile() ? `${stat.size} ${stat.mtimeMs}` : ''}`
    })
    .join(', ')
}

/** Does something with the folder of a block. Of a damaged one it tells `onDamage`, and returns undefined. Throws every other error. */
export function withBlock<Result>(
  folder: string,
  onDamage: (damage: BlockDamage) => void,
  act: () => Result,
): Result | undefined {
  try {
    return act()
  } catch (error) {
    const damage = damageOf(error, folder)
    if (!damage) throw error
    onDamage(damage)
    return undefined
  }
}
