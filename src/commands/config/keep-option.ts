import { findTool } from '../../sandbox/tools/tools.ts'
import { KeepWorkspaces } from '../../schema/keep-workspaces.ts'
import type { Problem } from '../../text/errors.ts'
import { withNear } from '../../text/near-word.ts'

/** Parses `--keep-workspaces`; `otherwise` counts if it is not given. Adds a problem if workspaces are to be kept and git is missing. */
export async function parseKeepWorkspaces(
  problems: Problem[],
  text: string | undefined,
  otherwise: KeepWorkspaces | undefined,
): Promise<KeepWorkspaces | undefined> {
  const keep = text === undefined ? otherwise : KeepWorkspaces.options.find((known) => known === text)
  const where = `--keep-workspaces ${text ?? keep}`
  if (text !== undefined && keep === undefined) {
    problems.push({
      where,
      what: 'is not a valid value',
      fix: withNear(text, KeepWorkspaces.options, 'Write failed, all or none.'),
    })
    return otherwise
  }
  if (keep === undefined || keep === 'none') return keep
  const git = await findTool('git')
  if (!git.found)
    problems.push({ where, what: 'needs git, which is not installed', fix: `${git.remedy} Or leave it out.` })
  return keep
}
