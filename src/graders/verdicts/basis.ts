import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../../base/package-root.ts'
import { findTool } from '../../sandbox/tools/tools.ts'
import type { VerdictsBasis } from '../../schema/ledger/verdict.ts'
import { digest, sha256 } from '../../text/canonical-json.ts'

/** Returns what verdicts of this machine depend on: the programs that run tests, Node and Python. */
export async function verdictsBasis(): Promise<VerdictsBasis> {
  const [node = ''] = process.versions.node.split('.')
  const python = await findTool('python3')
  return {
    programs: programsDigest(),
    node,
    python: python.found ? python.version.split('.').slice(0, 2).join('.') : null,
  }
}

/** Of the sources, which every package has, so that a build changes nothing. */
function programsDigest(): string {
  const folder = join(packageRoot(), 'src/graders/harness')
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.(mjs|py)$/.test(path))
    .map((path) => [path.replaceAll('\\', '/'), sha256(readFileSync(join(folder, path)))])
  return digest(Object.fromEntries(files))
}

/** Returns how a basis differs from this machine's, in plain words; undefined where they are equal. */
export function basisDifference(theirs: VerdictsBasis, ours: VerdictsBasis): string | undefined {
  if (theirs.programs !== ours.programs) return 'was made by other programs for tests than this bench has'
  if (theirs.node !== ours.node) return `was made by Node ${theirs.node}, and this is Node ${ours.node}`
  if (theirs.python === ours.python) return undefined
  return `was made by ${pythonText(theirs)}, and this machine has ${pythonText(ours)}`
}

const pythonText = ({ python }: VerdictsBasis) => (python === null ? 'no Python' : `Python ${python}`)
