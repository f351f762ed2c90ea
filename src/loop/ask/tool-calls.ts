import { isCheckCall } from '../../agent-tools/call-tool.ts'
import { hasState } from '../../agent-tools/definitions.ts'
import { openServers } from '../../agent-tools/servers.ts'
import type { ToolAnswer } from '../../agents/agent.ts'
import { longestTimer } from '../../base/longest-timer.ts'
import { weakestLevel } from '../../sandbox/level.ts'
import type { ToolStep } from '../../schema/ledger/tool-step.ts'
import { callKey } from '../../schema/ledger/turn-key.ts'
import { isMade, mostCallsOfTurn, type ToolCall } from '../../schema/tool/tool-call.ts'
import { digest } from '../../text/canonical-json.ts'
import { takeBranchStep } from '../branch/recorded-steps.ts'
import { addNote, notesIn } from '../branch/shared.ts'
import { toolCallText } from '../branch/step-difference.ts'
import { type Branch, withheldText } from '../branch/trial-state.ts'
import { applyEdits, filesOf, type State, stateDigest } from '../branch/workspace.ts'
import { type Attempt, askTimeLeft } from './agent-request.ts'
import { callLive, resultOf } from './live-call.ts'
import { storedEdits } from './reply-edits.ts'
import {
  type AskTools,
  type CountedCall,
  countRepeats,
  type Desk,
  equalArguments,
  type MadeCall,
  type OwnCall,
} from './tools.ts'
import { checkStep } from './visible-checks.ts'

/** Opens the calls of an ask on a draft of its branch's files and notes. */
export function openCalls(branch: Branch, ask: Attempt, tools: AskTools, draft: State) {
  const { run } = branch.trialState
  const fileText = (digest: string) => run.toolFiles?.get(digest)
  const servers = openServers({
    sandbox: run.sandbox,
    workspace: () => filesOf(draft),
    fileText,
    signal: branch.signal,
    callSignal: () => callSignal(branch, ask),
  })
  const desk: Desk = {
    trialState: branch.trialState,
    branch,
    ask,
    tools,
    draft,
    servers,
    fileText,
    repeats: countRepeats(),
    lostStates: new Set(),
  }
  return {
    /** Makes the calls of a turn one after the other, or takes them from the journal. */
    async make(turn: string, calls: readonly ToolCall[]) {
      const made: MadeCall[] = []
      for (const [i, call] of calls.entries()) {
        const isSurplus = i >= mostCallsOfTurn
        made.push(await makeCall(desk, { call, key: callKey(turn, i + 1), isSurplus }))
      }
      return {
        answers: made.map(answerOf),
        // None was made, since the agent had made each of them before.
        areRepeated: made.every(({ step }) => step.outcome === 'repeated'),
      }
    },
    close: servers.close,
  }
}

async function makeCall(
  desk: Desk,
  { call, key, isSurplus }: Pick<OwnCall, 'call' | 'key' | 'isSurplus'>,
): Promise<MadeCall> {
  const { branch, ask, tools, draft, repeats } = desk
  const tool = tools.byName.get(call.name)
  const met = {
    tool: call.name,
    files: stateDigest(draft),
    ...(tool?.tool.kind === 'memory' && { notes: notesIn(draft.shared, tool.id) }),
  }
  const hash = digest({ ...met, arguments: call.arguments })
  const at = branch.clock
  const counted: CountedCall = {
    same: digest({ ...met, arguments: equalArguments(call.arguments) }),
    server: hasState(tool?.tool) ? tool?.id : undefined,
  }
  const isRepeated = !isSurplus && repeats.isRepeated(counted)
  // Before the call's own step is looked up: a check that a limit refuses leaves no step of the call.
  const checked =
    !isRepeated && !isSurplus && isCheckCall(call, tools.byName)
      ? await checkStep(branch, callKey(key, 1), draft)
      : undefined
  const recorded = takeBranchStep(branch, key, 1, hash, () => toolCallText(ask.role, call))
  const own: OwnCall = { call, key, at, hash, tool, isRepeated, isSurplus, checked }
  const made = recorded?.kind === 'tool' ? await recordedCall(desk, own, recorded) : await callLive(desk, own)
  applyCall(desk, made)
  if (!isRepeated && !isSurplus) repeats.add(counted, `${made.step.outcome} ${made.text}`)
  return made
}

const answerOf = ({ step, text }: MadeCall): ToolAnswer => ({
  id: step.call.id,
  name: step.call.name,
  text,
  isError: step.outcome !== 'ok',
})

async function recordedCall(desk: Desk, own: OwnCall, step: ToolStep): Promise<MadeCall> {
  const { changeSet, key, result } = step
  if (own.tool && hasState(own.tool.tool) && isMade(step.outcome)) desk.lostStates.add(own.tool.id)
  const edits = changeSet ? storedEdits(desk.trialState, key, changeSet) : []
  // What was read of files in a trial that knows the solution is read again.
  const text = result === withheldText ? (await resultOf(desk, own)).text : result
  return { step, text, edits }
}

function applyCall({ trialState, branch, draft, servers }: Desk, { step, edits }: MadeCall): void {
  branch.clock += step.durationMs
  if (step.sandbox !== undefined)
    trialState.journal.level = weakestLevel([trialState.journal.level, step.sandbox])
  trialState.journal.toolSteps.push(step)
  if (edits.length > 0) {
    applyEdits(draft, edits, 'tool')
    servers.writeFiles(edits)
  }
  if (step.note && step.tool !== undefined)
    draft.shared = addNote(draft.shared, step.tool, step.key, step.note, branch.path)
}

/** Returns a signal that aborts with the branch and, in live mode, when the ask's time is up. */
function callSignal(branch: Branch, ask: Attempt): AbortSignal {
  const left = branch.trialState.run.mode === 'live' ? askTimeLeft(branch, ask) : undefined
  if (left === undefined) return branch.signal
  const timeUp = AbortSignal.timeout(Math.min(Math.max(0, Math.ceil(left)), longestTimer))
  return AbortSignal.any([branch.signal, timeUp])
}
