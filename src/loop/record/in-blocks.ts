import { existsSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { shellWord } from '../../text/shell-word.ts'

/** Folders in the folder of a run that workers do: of the blocks that have begun, and of those whose lines the run has, which are empty. */
export const blockFolders = { begun: 'blocks', joined: 'joined' } as const

/** Whether workers do a run, which is not over yet. */
export const isInBlocks = (run: string): boolean => existsSync(join(run, blockFolders.begun))

/** Whether a folder is that of a block, which has no run.json and so cannot be gone on with alone. */
export const isBlock = (folder: string): boolean => basename(dirname(folder)) === blockFolders.begun

/** Returns the command that goes on with a run, for a shell. A run that workers do needs its database, whose address no file of the run has. */
export const resumeCommand = (run: string, queue?: string): string =>
  `bench run --resume ${shellWord(run)}${isInBlocks(run) ? ` --queue ${queue === undefined ? 'postgres://USER@HOST/DATABASE' : shellWord(queue)}` : ''}`
