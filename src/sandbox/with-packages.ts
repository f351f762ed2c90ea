import { InfrastructureError } from '../errors.ts'
import { type PackagePart, packagePrefix } from './python-packages.ts'
import type { SandboxRun } from './sandbox.ts'
import { findTools } from './tools.ts'

/** The packages of Python's among what a task requires; pytest is known by its program's name too. */
async function packagesOf(requires: readonly string[]): Promise<readonly PackagePart[]> {
  const names = requires.flatMap((name) =>
    name === 'pytest' ? [`${packagePrefix}pytest`] : name.startsWith(packagePrefix) ? [name] : [],
  )
  if (names.length === 0) return []
  const tools = await findTools([...new Set(names)])
  for (const { name, found, remedy } of tools)
    if (!found && requires.includes(name)) throw new InfrastructureError(`${name} was not found. ${remedy}`)
  return tools.flatMap(({ parts = [] }) => parts)
}

/** The same door for a task: its programs see the packages that it requires. */
export function withPackages(run: SandboxRun, requires: readonly string[]): SandboxRun {
  return async (command) => {
    const packages = await packagesOf(requires)
    if (packages.length === 0) return run(command)
    return run({ ...command, packages, ...(command.peer && { peer: { ...command.peer, packages } }) })
  }
}
