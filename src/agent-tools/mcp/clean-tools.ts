import type { StageFolder } from '../../sandbox/sandbox.ts'
import type { ListedTool } from './protocol/list-tools.ts'

/** Returns tools whose texts are the same at every level of the sandbox: without the real paths of its folders. */
export function cleanTools(
  tools: readonly ListedTool[],
  { hidePaths }: Pick<StageFolder, 'hidePaths'>,
): ListedTool[] {
  return tools.map((tool) => JSON.parse(hidePaths(JSON.stringify(tool))) as ListedTool)
}
