import type { Ask, Workspace } from '../strategy.ts'
import { filesContext } from './files-context.ts'

/** Asks a producing role to do the whole task: the same words, and the same files, in every method that asks so. */
export function solve<Role extends string>(
  { ask, workspace }: { ask: Ask<Role>; workspace: Workspace },
  role: Role,
): Promise<string> {
  return ask(role, 'Solve the task.', { context: { files: filesContext(workspace) } })
}
