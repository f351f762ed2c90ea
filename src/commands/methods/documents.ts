import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../../base/package-root.ts'
import type { Config } from '../../schema/run/config.ts'
import type { Documents, Strategy } from '../../strategy.ts'
import { agentNameProblem } from '../config/agent-names.ts'
import { readIfThere } from './document-file.ts'

/** The files that `resolve` of a strategy can read: the user's files, and those in the folder of a built-in strategy. */
export function documentsFor(
  { name }: Pick<Strategy, 'name'>,
  isBuiltIn: boolean,
  agents?: Config['agents'],
): Documents {
  const folder = join(packageRoot(), 'strategies', name)
  return {
    read: readIfThere,
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
): Options =>
  strategy.resolve ? strategy.resolve(options, documentsFor(strategy, isBuiltIn, agents)) : options

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
