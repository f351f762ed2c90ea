import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { z } from 'zod'
import type {
  Agent,
  AgentRequest,
  AgentStage,
  AgentWorkspace,
  CallLimits,
  RequestTools,
  Turn,
} from '../../agents/agent.ts'
import type { AskOptions } from '../../ask.ts'
import { valueAt } from '../../base/grouping.ts'
import type { JudgedTexts } from '../../replies/data/judge-mark.ts'
import { folderPrefix } from '../../sandbox/folders/folder-owner.ts'
import { removeTreeAsync } from '../../sandbox/folders/remove-tree.ts'
import type { AskStep } from '../../schema/ledger/step.ts'
import { writePrivateCopy } from '../branch/folder.ts'
import { conversationKey } from '../branch/shared.ts'
import { usedSince } from '../branch/trial-limits.ts'
import type { Branch } from '../branch/trial-state.ts'
import { filesOf, listAsks, type State, stateDigest } from '../branch/workspace.ts'
import type { Used } from '../budget/limits.ts'
import type { Hands } from './hands.ts'
import { type Format, withoutFormat } from './prompt.ts'
import { runVisibleChecks } from './visible-checks.ts'

/** One attempt of an ask. */
export interface Attempt {
  agent: Agent
  key: string
  /** From 1. */
  attempt: number
  /** SHA-256 of the request. */
  hash: string
  role: string
  work: AskStep['work']
  prompt: string
  /** Whether it asks to repair a reply that did not parse. */
  repair: boolean
  /** Number of failed attempts before this one, with the same prompt. */
  retries: number
  /** Wait before the attempt, in ms; not counted by the trial's clock. */
  waitMs: number
  /** The format of its data; absent for a text. */
  format: Format | undefined
  options: (AskOptions & { shape?: z.ZodType }) | undefined
  /** Which of the recorded replies to the task it wants; undefined for an agent that replies now. */
  sample?: number | undefined
  /** What the branch had used when the ask began; undefined when the ask has no limits. */
  usedBefore: Used | undefined
  /** The turn that it is, of an ask with tools. */
  turn?: AskTurn
  /** It is the ask of a program that directs others. */
  hands?: Hands
  /** It is a request of a program that asks models itself, which reads the reply itself. */
  isRequest?: true
}

/** A turn of an ask with tools. */
export interface AskTurn {
  /** Key of the ask. */
  ask: string
  /** From 1. */
  number: number
  /** The files and notes as the calls so far left them. They become the branch's when the agent answers. */
  draft: State
  tools: RequestTools
}

/** Builds the request that the agent gets for an attempt. */
export function buildRequest(
  branch: Branch,
  call: Attempt,
  folder: AgentFolder,
  { limits, stage }: { limits?: CallLimits | undefined; stage?: AgentStage | undefined } = {},
): AgentRequest {
  const { trialState } = branch
  const { cell, id, epoch } = trialState.plan.trial
  const { options } = call
  return {
    role: call.role,
    work: call.work,
    prompt: call.prompt,
    system: options?.system,
    session: options?.session,
    turns: options?.session === undefined ? undefined : turnsBefore(branch, call),
    maxOutput: options?.maxOutput,
    // The time of a program ends its requests.
    timeoutMs: call.isRequest ? undefined : timeLeft(branch, call),
    schema: call.format?.schema,
    attempt: call.attempt,
    repair: call.repair,
    trial: {
      id,
      task: trialState.plan.taskRef,
      method: cell.method.label,
      strategy: trialState.plan.strategy.name,
      epoch,
      seed: cell.seed,
      key: call.key,
      rerun: trialState.journal.recorded?.reruns ?? 0,
    },
    roles: trialState.plan.roles,
    history: listAsks(branch.state.asks),
    ...(trialState.plan.judgedWork && { judged: { ...trialState.plan.judgedWork } }),
    workspace: agentWorkspace(branch, folder, call),
    tools: call.turn?.tools,
    limits,
    stage,
    sample: call.sample,
  }
}

function timeLeft(branch: Branch, call: Attempt): number | undefined {
  const own = call.options?.timeoutMs
  const left = askTimeLeft(branch, call)
  return own === undefined || left === undefined ? (own ?? left) : Math.min(own, left)
}

/** Returns the time that limits leave to an ask: the smaller of its own remaining time and the trial's. */
export function askTimeLeft(branch: Branch, call: Attempt): number | undefined {
  const { timeMs } = branch.trialState.plan.trial.cell.limits
  const ofAsk = call.options?.limits?.timeMs
  const left = [
    ofAsk !== undefined ? ofAsk - usedSince(branch, call).timeMs : undefined,
    timeMs !== undefined ? timeMs - branch.clock : undefined,
  ].filter((ms) => ms !== undefined)
  return left.length > 0 ? Math.min(...left) : undefined
}

/** Returns the earlier turns of the conversation that an attempt sends. */
export function turnsBefore({ state }: Branch, { role, options = {} }: Attempt) {
  return options.session === undefined ? [] : trimTurns(turnsOf(state, role, options), options)
}

/** Returns the texts that an ask's agent may quote: what it was shown, and what it could read beside that. */
export function judgedTexts(branch: Branch, call: Attempt): JudgedTexts {
  const { agent, options, turn, prompt } = call
  const results = turn?.tools.turns.flatMap((one) => one.results.map(({ text }) => text)) ?? []
  const runsPrograms = agent.isProgram || agent.userCode
  const files = runsPrograms || turn !== undefined ? Object.values(filesOf(turn?.draft ?? branch.state)) : []
  const said = turnsBefore(branch, call).flatMap((one) => [withoutFormat(one.prompt), one.reply])
  return {
    shown: [...Object.values(options?.show ?? {}).map((text) => text ?? ''), ...results, ...said],
    around: [withoutFormat(prompt), options?.system ?? '', ...files],
    // Who can run the files of a work sees what they print.
    sawMore: runsPrograms && branch.state.changed.size > 0,
  }
}

/** The folder that an agent works in, to be read and removed after the call. Empty until the agent asks for it. */
export interface AgentFolder {
  path?: string
  remove?(): Promise<unknown>
}

/** Returns the agent's access to the branch's files. The folder is created on first use. */
function agentWorkspace(branch: Branch, folder: AgentFolder, call: Attempt): AgentWorkspace {
  const { trialState } = branch
  const { run } = trialState
  const seen = call.turn?.draft ?? branch.state
  return {
    files: () => filesOf(seen),
    peek() {
      const state = stateDigest(seen)
      return valueAt(trialState.checkResults, state, () => {
        const result = runVisibleChecks(trialState, filesOf(seen), run.signal).then(
          (checked) => checked.result,
        )
        // Checks that broke say nothing about the files: the next caller runs them again.
        result.catch(() => trialState.checkResults.delete(state))
        return result
      })
    },
    async folder() {
      if (folder.path === undefined) {
        const path = writePrivateCopy(filesOf(seen))
        folder.path = path
        folder.remove = () => removeTreeAsync(path)
      }
      return folder.path
    },
    home: () => ensureHome(branch, call),
  }
}

/**
 * Returns the HOME folder of an agent, created on first use. Trials and branches do not share it. A conversation of the trial has a
 * HOME of its own, in which the agent's session can go on in each branch.
 */
function ensureHome({ path, trialState: { homes } }: Branch, { role, options = {}, hands }: Attempt): string {
  const { session, sessionScope } = options
  // No branch's path begins with #. Those whom a program directs work in its branch at the same time.
  const own = hands ? `#directs/${path}` : path
  const place = session !== undefined && sessionScope === 'trial' ? `#${role}/${session}` : own
  return valueAt(homes, place, () => mkdtempSync(join(tmpdir(), folderPrefix())))
}

/** Removes the HOME folders of a trial. */
export async function removeHomes(homes: ReadonlyMap<string, string>): Promise<void> {
  // Entries that cannot be removed stay: an error would let an agent turn its failed trial into an infrastructure error.
  for (const home of homes.values()) await removeTreeAsync(home)
}

type Named = Pick<AskOptions, 'session' | 'sessionScope'>

function turnsOf(state: State, role: string, { session = '', sessionScope }: Named): readonly Turn[] {
  if (sessionScope !== 'trial') return state.conversations?.get(`${role}/${session}`) ?? []
  const part = state.shared.get(conversationKey(role, session))
  return part && 'turns' in part ? part.turns : []
}

/** Adds a turn to the ask's conversation; other branches share the maps. `by` is the path of the branch. */
export function addTurn(state: State, role: string, named: Named, turn: Turn, by: string): void {
  const { session = '', sessionScope } = named
  const turns = [...turnsOf(state, role, named), turn]
  if (sessionScope === 'trial')
    state.shared = new Map(state.shared).set(conversationKey(role, session), { turns, by })
  else state.conversations = new Map(state.conversations).set(`${role}/${session}`, turns)
}

/** Returns the last turns that fit in so many messages, with the system prompt, if there is one, and the new prompt. */
function trimTurns(
  turns: readonly Turn[],
  { system, maxMessages }: Pick<AskOptions, 'system' | 'maxMessages'>,
): readonly Turn[] {
  if (maxMessages === undefined) return turns
  const others = system === undefined ? 1 : 2
  const kept = Math.max(0, Math.floor((maxMessages - others) / 2))
  return turns.slice(Math.max(0, turns.length - kept))
}
