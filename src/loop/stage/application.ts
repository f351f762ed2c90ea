import { openRelay } from '../../agents/gateway/relay.ts'
import { requireFolder } from '../../sandbox/folders/digest-folder.ts'
import { removeTreeAsync } from '../../sandbox/folders/remove-tree.ts'
import type { SandboxCommand, StageFolder } from '../../sandbox/sandbox.ts'
import type { RefusedRequests } from '../../schema/ledger/program-use.ts'
import type { StageDeed } from '../../schema/ledger/stage-step.ts'
import type { StageModels } from '../../stage.ts'
import { InfrastructureError } from '../../text/errors.ts'
import { readFolderEdits } from '../ask/reply-edits.ts'
import { writePrivateCopy } from '../branch/folder.ts'
import type { Branch } from '../branch/trial-state.ts'
import { adoptState, applyEdits, filesOf, forkState } from '../branch/workspace.ts'
import { type ModelRequests, openModelRequests, voidEarlier } from './model-requests.ts'
import type { StageCall } from './program.ts'
import type { StageSession } from './session.ts'

/** The session of a program that asks models itself. Its place is opened anew for each start. */
export interface ApplicationSession extends StageSession {
  /** Opens the folders and the gateway of a start, and returns what its sandbox has beside those of other stages. */
  begin(): Promise<Partial<SandboxCommand>>
  asks(): number
  refused(): RefusedRequests | undefined
  /** Replaces the real path of its folder in what it printed, so that equal runs print equal text. */
  hidePaths(text: string): string
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
  const bill = { ...branch.bill }
  let folders: readonly string[] = []
  let shown: string | undefined
  let relay: Awaited<ReturnType<typeof openRelay>> | undefined
  let requests: ModelRequests | undefined

  const close = async () => {
    await relay?.gateway.close()
    await requests?.close()
    for (const folder of folders) await removeTreeAsync(folder)
    folders = []
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
    refused: () => relay?.refused(),
    hidePaths: (text) => (shown === undefined ? text : text.replaceAll(shown, '{folder}')),
    async begin() {
      await close()
      voidEarlier(branch, call)
      adoptState(branch.state, before)
      Object.assign(branch.bill, bill)
      log.length = 0
      const { openSandbox } = branch.trialState.run
      if (!openSandbox)
        throw new InfrastructureError(`stage "${call.facts.stage}": no program can be started here`)
      const { openGateway } = await openSandbox()
      const newRequests = openModelRequests(branch, stop)
      const newRelay = await openRelay({
        upstreams: upstreamsOf(branch, call),
        ask: newRequests.ask,
        openGateway,
      })
      const { gateway, env } = newRelay
      ;[relay, requests] = [newRelay, newRequests]
      const [workspace, home] = [writePrivateCopy(filesOf(branch.state)), writePrivateCopy({})]
      folders = [workspace, home]
      shown = models.folder && requireFolder(models.folder.path, models.folder.digest)
      const folder = shown
      const placed = (text: string) => text.replace(/^\{folder\}(?=\/|$)/, () => folder ?? '')
      const own = Object.entries(call.program.env ?? {}).map(([name, text]) => [name, placed(text)])
      return {
        place: { workspace, home, gateway },
        stdin: models.stdin,
        command: call.program.command.map(placed),
        env: { ...env, BENCH_TASK: '{stage}/task.json', ...Object.fromEntries(own) },
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

function upstreamsOf(
  branch: Branch,
  { facts, roles }: StageCall,
): Parameters<typeof openRelay>[0]['upstreams'] {
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
