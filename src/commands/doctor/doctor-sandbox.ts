import { temporaryFolderFault } from '../../sandbox/machine/temporary-folder.ts'
import { openAdapter, openSandbox, type Sandbox } from '../../sandbox/open-sandbox.ts'

/** One line of the doctor's, and what to do about it. */
export interface Finding {
  name: string
  ok: boolean
  state: string
  fix?: string
  /** For whom reads the JSON: what became of each attack. */
  attacks?: Sandbox['findings']
}

/** The level that code runs at here, why, what would improve it, and what there is beside. */
export async function sandboxFindings(): Promise<Finding[]> {
  const fault = temporaryFolderFault()
  if (fault)
    return [{ name: 'sandbox', ok: false, state: `cannot be tried: ${fault.missing}`, fix: fault.remedy }]
  const best = await openSandbox('auto')
  const containers = await Promise.all((['docker', 'podman'] as const).map(containerFinding))
  return [sandboxFinding(best), ...containers.filter(({ name }) => name !== best.adapter)]
}

function sandboxFinding({ level, adapter, findings, remedy }: Sandbox): Finding {
  const told = (wanted: boolean) =>
    findings.flatMap(({ attack, held, detail }) => (held === wanted ? [`${attack} (${detail})`] : []))
  const [held, failed] = [told(true), told(false)]
  const parts = [
    adapter === 'none'
      ? 'none: code runs as you, in a private folder, with limits'
      : `${level}, by ${adapter}`,
    ...(held.length > 0 ? [`held: ${held.join(', ')}`] : []),
    ...(failed.length > 0 ? [`not held: ${failed.join(', ')}`] : []),
  ]
  return {
    name: 'sandbox',
    ok: level === 'full',
    state: parts.join('; '),
    ...(remedy !== undefined && {
      fix: `${remedy} Until then code of paid agents, and agents that are programs, need --allow-unsandboxed. Simulated agents and answer tasks do not.`,
    }),
    attacks: findings,
  }
}

async function containerFinding(engine: 'docker' | 'podman'): Promise<Finding> {
  const opened = await openAdapter(engine)
  if ('run' in opened) return { name: engine, ok: true, state: opened.level, attacks: opened.findings }
  return { name: engine, ok: true, state: `untested: ${opened.missing}` }
}
