import { existsSync, lstatSync, readFileSync, readlinkSync, realpathSync } from 'node:fs'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import type { Problem } from '../../text/errors.ts'

/**
 * Returns a problem if an output would overwrite a file that a run needs: its run.json, its ledger, a blob, an artifact.
 * Follows links. `begun` is the folder of a run that is about to begin.
 */
export function runFileProblem(flag: string, path: string, begun?: string): Problem | undefined {
  const target = resolveTarget(resolve(path))
  const planned = begun === undefined ? undefined : resolveTarget(resolve(begun))
  for (let folder = dirname(target); folder !== dirname(folder); folder = dirname(folder)) {
    if (folder !== planned && !isRunFolder(folder)) continue
    if (!neededFiles.test(relative(folder, target).replaceAll(sep, '/'))) continue
    return {
      where: `${flag} ${path}`,
      what: `is a file that the run in ${folder} needs`,
      fix: 'Give another file, for example one beside the run folder.',
    }
  }
  return undefined
}

/** Whether a folder is a run folder. Other programs write a run.json too; a damaged one of ours still has its ledger beside it. */
export function isRunFolder(folder: string): boolean {
  const manifest = join(folder, 'run.json')
  if (!existsSync(manifest)) return false
  if (['steps.jsonl', 'records.jsonl'].some((file) => existsSync(join(folder, file)))) return true
  try {
    const { schemaVersion } = JSON.parse(readFileSync(manifest, 'utf8')) as { schemaVersion?: unknown }
    return typeof schemaVersion === 'number'
  } catch {
    return false
  }
}

const neededFiles =
  /^(?:run\.json|[^/]+\.jsonl|request\.json|lock|pause|blobs(?:\/.*)?|artifacts(?:\/.*)?|workspaces(?:\/.*)?)$/s

/** Bound for circular links. */
const maxLinks = 40

/** Resolves the links of a path, whose target need not exist. */
function resolveTarget(path: string, links = 0): string {
  try {
    return realpathSync(path)
  } catch {
    const link = linkAt(path)
    if (link !== undefined && links < maxLinks) return resolveTarget(resolve(dirname(path), link), links + 1)
    return dirname(path) === path ? path : join(resolveTarget(dirname(path), links), basename(path))
  }
}

function linkAt(path: string): string | undefined {
  try {
    return lstatSync(path).isSymbolicLink() ? readlinkSync(path) : undefined
  } catch {
    return undefined
  }
}
