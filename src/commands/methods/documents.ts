import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../../base/package-root.ts'
import type { Config } from '../../schema/run/config.ts'
import type { Documents, Strategy } from '../../strategy.ts'
import { agentNameProblem } from '../config/agent-names.ts'
import { readIfThere, readNamedFile } from './document-file.ts'

/** What strategies read while options are resolved. */
export interface DocumentReads {
  /** The texts by path, each read once, so that what was looked at is what is used. */
  texts: Map<string, string | undefined>
  /** Whether the user typed a path. One of the config file has the rule of files that documents name. */
  isTyped(path: string): boolean
}

/** The files that `resolve` of a strategy can read: the user's files, and those in the folder of a built-in strategy. */
export function documentsFor(
  { name }: Pick<Strategy, 'name'>,
  isBuiltIn: boolean,
  agents?: Config['agents'],
  { texts, isTyped }: DocumentReads = { texts: new Map(), isTyped: () => true },
): Documents {
  const folder = join(packageRoot(), 'strategies', name)
  return {
    read(path, below = isTyped(path) ? undefined : '.') {
      const full = join(below ?? '', path)
      if (!texts.has(full))
        texts.set(full, below === undefined ? readIfThere(path) : readNamedFile(path, below))
      return texts.get(full)
    },
    list: filesIn,
    shipped: Object.fromEntries(
      (isBuiltIn ? shippedFiles(folder) : []).map((file) => [file, readFileSync(join(folder, file), 'utf8')]),
    ),
    agentProblem: (name) => agentNameProblem(name, agents),
  }
}

/** Returns the options of a strategy with the documents that they name, which may name `agents`. Throws `UserError` with all mistakes in these. */
export const resolveOptions = <Options>(
  strategy: Strategy,
  options: Options,
  isBuiltIn: boolean,
  agents?: Config['agents'],
  reads?: DocumentReads,
): Options =>
  strategy.resolve ? strategy.resolve(options, documentsFor(strategy, isBuiltIn, agents, reads)) : options

/** Returns the documents of a strategy's folder, and the personas that they name. */
const shippedFiles = (folder: string): string[] => [
  ...(filesIn(folder) ?? []),
  ...(filesIn(join(folder, 'personas')) ?? []).map((file) => `personas/${file}`),
]

/** Returns the sorted names of the files in a folder; undefined if there is no such folder. */
function filesIn(folder: string): string[] | undefined {
  if (!existsSync(folder)) return undefined
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)
    .sort()
}
