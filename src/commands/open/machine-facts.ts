import { harnessDigest, packageVersion } from '../../base/package-root.ts'
import { findTools } from '../../sandbox/tools/tools.ts'
import type { SessionSandbox } from '../../schema/ledger/session.ts'
import type { RunManifest } from '../../schema/run/run.ts'
import type { Task } from '../../schema/task.ts'

/** What code of a run runs in and with on a machine. */
type MachineFacts = NonNullable<RunManifest['queue']>

/** Returns what the code of tasks runs in on this machine, and the versions of the programs that they need and that are here. */
export async function machineFacts(
  tasks: Iterable<Pick<Task, 'spec'>>,
  sandboxed: SessionSandbox | undefined,
): Promise<MachineFacts> {
  const names = [...new Set([...tasks].flatMap(({ spec }) => spec.requires))].sort()
  const tools = (await findTools(names)).filter(({ found }) => found)
  return {
    sandbox: sandboxed?.level ?? null,
    tools: Object.fromEntries(tools.map(({ name, version }) => [name, version])),
  }
}

/** Returns in what this machine and its bench differ from those where a run began, so that results could differ. Programs that are missing do not count. */
export function machineDifferences({ versions, harness, queue }: RunManifest, here: MachineFacts): string[] {
  const own = harnessDigest()
  const majorOf = (version: string) => version.split('.')[0] ?? ''
  const short = (digest: string | undefined) => digest?.slice(0, 8) ?? 'not built'
  const pairs: [name: string, there: string, here: string][] = [
    ['bench', versions.bench, packageVersion()],
    ['the code of bench', short(harness?.code), short(own?.code)],
    ['its graders', short(harness?.graders), short(own?.graders)],
    ['the major version of Node', majorOf(versions.node), majorOf(process.versions.node)],
    ['the level of the sandbox', queue?.sandbox ?? 'none needed', here.sandbox ?? 'none needed'],
    ...Object.entries(queue?.tools ?? {}).flatMap(([name, version]): [string, string, string][] => {
      const found = here.tools[name]
      return found === undefined ? [] : [[name, version, found]]
    }),
  ]
  return pairs.flatMap(([name, there, now]) =>
    there === now ? [] : [`${name} (${there} there, ${now} here)`],
  )
}
