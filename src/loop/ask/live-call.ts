import { callTool, lostState, repeatedCall, surplusCall } from '../../agent-tools/call-tool.ts'
import { hasState, type ToolPlace, type ToolResult } from '../../agent-tools/definitions.ts'
import { dataCleaner } from '../../replies/clean-data.ts'
import type { ToolStep } from '../../schema/ledger/tool-step.ts'
import { isMade } from '../../schema/tool/tool-call.ts'
import type { CheckResult } from '../../strategy.ts'
import { editableIn } from '../../suites/editable.ts'
import type { Redactor } from '../../text/redact.ts'
import { Interrupted, stepHead, writeTimedStep } from '../branch/recorded-steps.ts'
import { notesIn } from '../branch/shared.ts'
import { withheldText } from '../branch/trial-state.ts'
import { applyEdits, filesOf, forkState } from '../branch/workspace.ts'
import type { Desk, MadeCall, OwnCall } from './tools.ts'

/** Returns the result of a call; a call of a server is made, and a check has been. */
export function resultOf(
  { tools, draft, lostStates, trialState, ...desk }: Desk,
  own: OwnCall,
): Promise<ToolResult> | ToolResult {
  if (own.isSurplus) return surplusCall(own.call.name)
  if (own.isRepeated) return repeatedCall(own.call.name, own.tool && hasState(own.tool.tool))
  // Only a divergence comes here: an ask that was cut off is taken up again before the first call of such a server.
  if (own.tool && lostStates.has(own.tool.id)) return lostState(own.call.name)
  const { spec } = trialState.plan.task
  const place: ToolPlace = {
    files: () => filesOf(draft),
    notes: (tool) => notesIn(draft.shared, tool),
    ...(spec.editable.length > 0 && { counted: { names: spec.editable, has: editableIn(spec) } }),
    check: async () => own.checked as CheckResult,
  }
  return callTool(own.call, tools.byName, place, desk)
}

/** Makes a call and writes its step. */
export async function callLive(desk: Desk, own: OwnCall): Promise<MadeCall> {
  const { trialState, branch, ask, draft } = desk
  const { run } = trialState
  const { secret } = trialState.journal
  const { call, key, hash, at, tool } = own
  if (branch.signal.aborted) throw new Interrupted()
  const started = performance.now()
  const result = await resultOf(desk, own)
  const measured = Math.round(performance.now() - started)
  if (branch.signal.aborted) throw new Interrupted()
  const { outcome, text, edits = [], note, server, sandbox } = clean(result, run.redact)
  for (const { content } of edits) if (content !== null) run.journal?.blobs.put(content)
  const isServer = tool?.tool.kind === 'mcp'
  const step: ToolStep = {
    ...stepHead(trialState, 'tool', key, hash, at),
    durationMs: isServer && isMade(outcome) ? (run.mode === 'dev' ? run.checkMs : measured) : 0,
    ...(branch.iteration && { iteration: branch.iteration }),
    role: ask.role,
    agent: ask.agent.name,
    call,
    tool: tool?.id,
    outcome,
    result: secret && tool?.tool.kind === 'workspace' ? withheldText : text,
    changeSet: edits.length > 0 ? applyEdits(forkState(draft), edits, 'tool') : undefined,
    note,
    server,
    sandbox,
  }
  writeTimedStep(trialState, step)
  // Like a paid reply, it is written before it is used.
  if (ask.agent.paid) run.journal?.callEnded()
  return { step, text, edits }
}

function clean(result: ToolResult, redact: Redactor | undefined): ToolResult {
  const known = dataCleaner(redact)(result)
  // An error may quote a part of a text.
  return redact && result.outcome !== 'ok' ? { ...known, text: redact.cut(known.text) } : known
}
