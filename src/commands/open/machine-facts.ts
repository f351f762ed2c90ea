import { harnessDigest, packageVersion } from '../../base/package-root.ts'
import { findTools } from '../../sandbox/tools/tools.ts'
import type { SessionSandbox } from '../../schema/ledger/session.ts'
import type { RunManifest } from '../../schema/run/run.ts'
import type { Task } from '../../schema/task.ts'
import { UserError } from '../../text/errors.ts'

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

/**
 * Returns the facts of this machine. Throws `UserError` if it or its bench differ from those where a run began in what could change results,
 * with all that differs. Programs that are missing do not count.
 */
export async function requireSameMachine(
  { id, versions, harness, queue }: RunManifest,
  tasks: Iterable<Pick<Task, 'spec'>>,
  sandboxed: SessionSandbox | undefined,
): Promise<MachineFacts> {
  const here = await machineFacts(tasks, sandboxed)
  const own = harnessDigest()
  const majorOf = (version: string) => version.split('.')[0] ?? ''
  const short = (digest: string | undefined) => digest?.slice(0, 8) ?? 'not built'
  const pairs: [name: string, there: string, here: string][] = [
    ['bench', versions.bench, packageVersion()],
    ['its code', short(harness?.code), short(own?.code)],
    ['its graders', short(harness?.graders), short(own?.graders)],
    ['the major version of Node', majorOf(versions.node), majorOf(process.versions.node)],
    ['the level of the sandbox', queue?.sandbox ?? 'not needed', here.sandbox ?? 'not needed'],
  ]
  for (const [name, version] of Object.entries(queue?.tools ?? {}))
    pairs.push([name, version, here.tools[name] ?? version])
  const differing = pairs.flatMap(([name, there, now]) =>
    there === now ? [] : [`${name} (${there} there, ${now} here)`],
  )
  if (differing.length === 0) return here
  throw new UserError({
    where: 'bench work',
    what: `differs from where run ${id} began: ${differing.join(', ')}`,
    fix: 'Use the same bench, Node, sandbox and programs, so that all blocks are done alike.',
  })
}
