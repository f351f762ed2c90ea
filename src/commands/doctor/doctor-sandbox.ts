import { temporaryFolderFault } from '../../sandbox/machine/temporary-folder.ts'
import { openAdapter, openSandbox, type Sandbox } from '../../sandbox/open-sandbox.ts'

/** One line of `bench doctor`, with its remedy. */
export interface Finding {
  name: string
  ok: boolean
  state: string
  fix?: string
  /** It is not needed, since something else does the same. */
  optional?: true
  /** The result of each attack; only in the JSON output. */
  attacks?: Sandbox['findings']
}

/** Reports the sandbox level that code runs at on this machine, why, and what would improve it; then docker and podman. */
export async function sandboxFindings(): Promise<Finding[]> {
  const fault = temporaryFolderFault()
  if (fault)
    return [{ name: 'sandbox', ok: false, state: `cannot be tested: ${fault.missing}`, fix: fault.remedy }]
  const best = await openSandbox('auto')
  const containers = await Promise.all((['docker', 'podman'] as const).map(containerFinding))
  return [sandboxFinding(best), ...containers.filter(({ name }) => name !== best.adapter)]
}

function sandboxFinding({ level, adapter, findings, remedy }: Sandbox): Finding {
  const attacksWith = (wanted: boolean) =>
    findings.flatMap(({ attack, held, detail }) => (held === wanted ? [`${attack} (${detail})`] : []))
  const [blocked, failed] = [attacksWith(true), attacksWith(false)]
  const parts = [
    adapter === 'none'
      ? 'none: code runs with your permissions, in a private folder, with limits'
      : `${level}, by ${adapter}`,
    ...(blocked.length > 0 ? [`blocked: ${blocked.join(', ')}`] : []),
    ...(failed.length > 0 ? [`not blocked: ${failed.join(', ')}`] : []),
  ]
  return {
    name: 'sandbox',
    ok: level === 'full',
    state: parts.join('; '),
    ...(remedy !== undefined && {
      fix: `${remedy} Until then, code of paid agents, agents that are programs and servers of tools require --allow-unsandboxed. Simulated agents and answer tasks do not.`,
    }),
    attacks: findings,
  }
}

async function containerFinding(engine: 'docker' | 'podman'): Promise<Finding> {
  const opened = await openAdapter(engine)
  if ('run' in opened) return { name: engine, ok: true, state: opened.level, attacks: opened.findings }
  return { name: engine, ok: false, optional: true, state: opened.missing, fix: opened.remedy }
}
