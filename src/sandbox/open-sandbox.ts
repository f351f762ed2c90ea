import type { RequestListener } from 'node:http'
import type { SandboxLevel } from '../schema/sandbox-level.ts'
import { UserError } from '../text/errors.ts'
import { bubblewrap } from './adapters/bubblewrap.ts'
import { container, findContainer } from './adapters/container.ts'
import { findBubblewrap, namespaceRemedy } from './adapters/find-bubblewrap.ts'
import { type OpenGateway, openGateway, type RefuseBelow } from './gateway.ts'
import type { Launcher } from './launcher.ts'
import { tooManyOpenFiles } from './machine/open-files.ts'
import { type Missing, temporaryFolderFault } from './machine/temporary-folder.ts'
import { type ProbeFinding, probe } from './probe/probe.ts'
import { createSandboxRun, spawnUnsandboxed } from './process/spawn.ts'
import type { SandboxAdapter, SandboxRun } from './sandbox.ts'

/** The values of `--sandbox`: an adapter, or the best one available. */
export const sandboxChoices = ['auto', 'bubblewrap', 'docker', 'podman', 'none'] as const
export type SandboxChoice = (typeof sandboxChoices)[number]

/** A sandbox that was probed. */
export interface Sandbox {
  run: SandboxRun
  /** Opens a gateway for an agent inside: its HTTP requests go to `onRequest`. */
  openGateway(onRequest: RequestListener, refuse?: RefuseBelow): Promise<OpenGateway>
  level: SandboxLevel
  adapter: SandboxAdapter
  /** The result of each attack; empty if there is nothing to attack. */
  findings: readonly ProbeFinding[]
  /** Why the level is not `full` and how to improve it; absent at `full`. */
  remedy?: string
  /** The level is `none`, although a sandbox is installed: it did not work. */
  broken?: true
  /** What programs lack in it, as sentences without a full stop. */
  notes: readonly string[]
}

type Adapter = Exclude<SandboxAdapter, 'none'>

const adapters: readonly Adapter[] = ['bubblewrap', 'docker', 'podman']

/**
 * Opens a sandbox and attacks it with the probe. `auto` takes the first adapter that stops every attack, else the best.
 * Throws `UserError` if a named adapter cannot run here.
 */
export async function openSandbox(choice: SandboxChoice): Promise<Sandbox> {
  if (choice === 'none') return unsandboxed('`--sandbox none` turns the sandbox off. Omit it to use one.')
  const wanted = choice === 'auto' ? adapters : [choice]
  const tried: (Sandbox | Missing)[] = []
  for (const adapter of wanted) {
    const opened = await openAdapter(adapter)
    if ('run' in opened && opened.level === 'full') return opened
    tried.push(opened)
  }
  const partial = tried.find((one) => 'run' in one && one.level !== 'none')
  if (partial && 'run' in partial) return partial
  const [first] = tried
  const why =
    first === undefined ? '' : 'missing' in first ? `${first.missing}. ${first.remedy}` : (first.remedy ?? '')
  if (choice !== 'auto')
    throw new UserError({ where: `--sandbox ${choice}`, what: 'cannot be used here', fix: why })
  return { ...unsandboxed(why), ...(tried.some((one) => 'missing' in one && one.broken) && { broken: true }) }
}

/** Opens one adapter and attacks it with the probe; returns what is missing if it does not run. */
export async function openAdapter(adapter: Adapter): Promise<Sandbox | Missing> {
  const launcher = await launcherOf(adapter)
  if ('missing' in launcher) return launcher
  let findings: ProbeFinding[]
  try {
    // A busy machine may be the reason why it fails, so it is tried once more.
    findings = await probe(launcher).catch(() => probe(launcher))
  } catch (error) {
    const fault = temporaryFolderFault()
    if (fault) return fault
    const files = tooManyOpenFiles(error)
    if (files !== undefined) return { missing: `${adapter} cannot be tried`, remedy: files, broken: true }
    const remedy = adapter === 'bubblewrap' ? namespaceRemedy() : `Check that \`${adapter} run\` works.`
    const missing = `${adapter} cannot start a program (${firstLine((error as Error).message)})`
    return { missing, remedy, broken: true }
  }
  const failed = findings.filter(({ held }) => !held).map(({ attack }) => attack)
  const why = launcher.limitation === undefined ? '' : ` The reason: ${launcher.limitation}.`
  const level = failed.length === 0 ? 'full' : failed.length < findings.length ? 'partial' : 'none'
  return {
    run: createSandboxRun({ ...launcher, level }),
    openGateway: (onRequest, refuse) => openGateway(onRequest, { isolated: true, uid: launcher.uid, refuse }),
    level,
    adapter,
    findings,
    notes: launcher.notes ?? [],
    ...(level !== 'full' && {
      remedy: `${adapter} does not stop these attacks: ${failed.join(', ')}.${why}`,
    }),
  }
}

async function launcherOf(adapter: Adapter): Promise<Omit<Launcher, 'level'> | Missing> {
  const fault = temporaryFolderFault()
  if (fault) return fault
  if (adapter === 'bubblewrap') {
    const host = await findBubblewrap()
    return 'missing' in host ? host : bubblewrap(host)
  }
  const host = await findContainer(adapter)
  return 'missing' in host ? host : container(host)
}

function unsandboxed(remedy: string): Sandbox {
  const openSharedGateway: Sandbox['openGateway'] = (onRequest, refuse) =>
    openGateway(onRequest, { isolated: false, refuse })
  return {
    run: spawnUnsandboxed,
    openGateway: openSharedGateway,
    level: 'none',
    adapter: 'none',
    findings: [],
    notes: [],
    remedy,
  }
}

const firstLine = (text: string) => text.split('\n', 1)[0] ?? ''

/** A sandbox that is opened on first use. */
export interface LazySandbox {
  run: SandboxRun
  /** Opens the sandbox, unless it is open. */
  open(): Promise<Sandbox>
}

/** Creates a sandbox that is opened on first use: many commands run no code. */
export function lazySandbox(choice: SandboxChoice): LazySandbox {
  let opening: Promise<Sandbox> | undefined
  const open = () => {
    opening ??= openSandbox(choice)
    return opening
  }
  return { run: async (command) => (await open()).run(command), open }
}
