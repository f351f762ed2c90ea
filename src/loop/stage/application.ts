import { mkdtempSync, realpathSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Upstream } from '../../agents/agent.ts'
import { refuseBelow } from '../../agents/gateway/forward.ts'
import { createRefusals } from '../../agents/gateway/refusals.ts'
import { openRelay, relayVariables } from '../../agents/gateway/relay.ts'
import { allWires } from '../../agents/gateway/wires.ts'
import { digestFolder } from '../../sandbox/folders/digest-folder.ts'
import { folderPrefix } from '../../sandbox/folders/folder-owner.ts'
import { removeTreeAsync } from '../../sandbox/folders/remove-tree.ts'
import type { OpenGateway } from '../../sandbox/gateway.ts'
import type { SandboxCommand, StageFolder } from '../../sandbox/sandbox.ts'
import type { RefusedRequests } from '../../schema/ledger/program-use.ts'
import type { StageDeed } from '../../schema/ledger/stage-step.ts'
import type { StageModels } from '../../stage.ts'
import { InfrastructureError } from '../../text/errors.ts'
import { readFolderEdits } from '../ask/reply-edits.ts'
import { writePrivateCopy } from '../branch/folder.ts'
import { voidSteps } from '../branch/recorded-steps.ts'
import type { Branch } from '../branch/trial-state.ts'
import { adoptState, applyEdits, filesOf, forkState } from '../branch/workspace.ts'
import { type ModelRequests, openModelRequests } from './model-requests.ts'
import type { StageCall } from './program.ts'
import type { StageSession } from './session.ts'

/** The session of a program that asks models itself. Its place is opened anew for each start. */
export interface ApplicationSession extends StageSession {
  /** Opens the folders and the gateway of a start, and returns what its sandbox has beside those of other stages. */
  begin(): Promise<Partial<SandboxCommand>>
  asks(): number
  refused(): RefusedRequests | undefined
}

/** Opens the session of a program that asks models itself. `stop` is called with an error that is nothing for the program: it must end it. */
export function openApplication(
  branch: Branch,
  call: StageCall,
  stop: (error: Error) => void,
): ApplicationSession {
  const models = call.program.models as StageModels
  const log: StageDeed[] = []
  const before = forkState(branch.state)
  const place: { workspace?: string; home?: string; gateway?: OpenGateway } = {}
  let requests: ModelRequests | undefined
  let refusals = createRefusals()

  const close = async () => {
    const { workspace, home, gateway } = place
    await gateway?.close()
    await requests?.close()
    for (const path of [workspace, home]) if (path !== undefined) await removeTreeAsync(path)
    for (const part of ['workspace', 'home', 'gateway'] as const) delete place[part]
  }
  const takeChanges = ({ workspace }: StageFolder) => {
    const { changeSet, edits } = readFolderEdits(branch, workspace, true)
    if (changeSet.changes.length === 0 && !changeSet.rejected) return
    applyEdits(branch.state, edits, 'folder')
    log.push({ changes: changeSet })
  }
  return {
    log,
    close,
    waitedMs: () => requests?.waitedMs() ?? 0,
    state: () => undefined,
    requireWhole() {},
    asks: () => requests?.count() ?? 0,
    refused: () => refusals.read(),
    async begin() {
      await close()
      voidEarlier(branch, call)
      adoptState(branch.state, before)
      log.length = 0
      refusals = createRefusals()
      const opened = openModelRequests(branch, stop)
      requests = opened
      const upstreams = upstreamsOf(branch, call)
      const listen = await openRelay({ upstreams, refusals, ask: opened.ask })
      const sandbox = await branch.trialState.run.openSandbox?.()
      if (!sandbox)
        throw new InfrastructureError(`stage "${call.facts.stage}": no program can be started here`)
      const gateway = await sandbox.openGateway(listen, refuseBelow({ wires: allWires, refusals }))
      place.gateway = gateway
      place.workspace = writePrivateCopy(filesOf(branch.state))
      place.home = mkdtempSync(join(tmpdir(), folderPrefix()))
      const folder = models.folder && checkedFolder(models.folder)
      const [first] = Object.values(upstreams)
      const { command, env = {} } = call.program
      const placed = (text: string) => text.replace(/^\{folder\}(?=\/|$)/, () => folder ?? '')
      const own = Object.fromEntries(Object.entries(env).map(([name, text]) => [name, placed(text)]))
      return {
        place: { workspace: place.workspace, home: place.home, gateway },
        stdin: models.stdin,
        command: command.map(placed),
        env: { ...relayVariables(gateway.url, first?.model ?? ''), BENCH_TASK: '{stage}/task.json', ...own },
        ...(folder !== undefined && { shows: folder }),
        maxOutputBytes: mostOutput,
      }
    },
    open: (folder) => ({
      // It asks over HTTP.
      onConnection: (socket) => socket.destroy(),
      waitedMs: () => requests?.waitedMs() ?? 0,
      async end({ exitCode }) {
        await requests?.close()
        // A program that was ended may have left half of its work.
        if (exitCode !== null) takeChanges(folder)
      },
    }),
  }
}

/** What is kept of each stream: stdout may be an answer. */
const mostOutput = 1024 ** 2

/** Voids what an earlier start of the program has asked: it starts anew, and asks all again. */
function voidEarlier(branch: Branch, { key, hash, facts }: StageCall): void {
  const { journal, plan } = branch.trialState
  const own = `${branch.path}#`
  const earlier = [...(journal.recorded?.steps.keys() ?? [])].filter((name) => name.startsWith(own))
  const asked = Array.from({ length: branch.counter }, (_, number) => `${own}${number}/1`)
  const names = [...new Set([...earlier, ...asked])]
  if (names.length === 0) return
  const what = `the program of stage "${facts.stage}" was interrupted and starts anew`
  voidSteps(branch.trialState, { key, attempt: 1, hash }, names, what)
  journal.begunAnew.push(`trial ${plan.trial.id}: ${what}, so what it had asked is void`)
  journal.asked = journal.asked.filter((one) => one.branch !== branch.path)
  branch.counter = 0
}

function upstreamsOf(
  branch: Branch,
  { facts, roles }: StageCall,
): Record<string, Upstream & { agent: string }> {
  const { agents } = branch.trialState.plan
  return Object.fromEntries(
    roles.map((role) => {
      const { upstream, name } = agents[role] ?? {}
      if (!upstream || name === undefined)
        throw new Error(
          `[strategy] stage("${facts.stage}"): ${name ?? 'nobody'}, the agent of role "${role}", cannot answer a program that asks models itself. Use an agent over HTTP.`,
        )
      return [role, { ...upstream, agent: name }]
    }),
  )
}

/** The folders that were found as they should be. */
const checked = new Map<string, string>()

/** Returns the real path of a folder, unless its content has changed since the run began. It is read once. */
function checkedFolder({ path, digest }: NonNullable<StageModels['folder']>): string {
  const place = resolve(path)
  if (!checked.has(`${place} ${digest}`)) {
    const found = digestFolder(place)
    if (found?.digest !== digest)
      throw new InfrastructureError(
        `the folder ${path} ${found ? 'has changed since the run began' : 'is not there'}. Restore it, or begin a new run`,
      )
    checked.set(`${place} ${digest}`, realpathSync(place))
  }
  return checked.get(`${place} ${digest}`) as string
}
