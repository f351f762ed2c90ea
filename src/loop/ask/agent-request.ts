import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { z } from 'zod'
import type { Agent, AgentRequest, AgentWorkspace } from '../../agents/agent.ts'
import { folderPrefix } from '../../sandbox/folders/folder-owner.ts'
import type { AskStep } from '../../schema/ledger/step.ts'
import type { AskOptions } from '../../strategy.ts'
import { estimateTokens } from '../../text/token-estimate.ts'
import type { Used } from '../budget/limits.ts'
import { removeFolder, writePrivateCopy } from '../files/folder.ts'
import { filesOf, stateDigest, turnsOf } from '../files/workspace.ts'
import type { Branch } from '../state/branch.ts'
import { usedSince } from '../state/trial-limits.ts'
import type { TrialState } from '../state/trial-state.ts'
import { visibleChecks } from './visible-checks.ts'

/** One attempt of an ask, as it goes to the agent. */
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
  /** Asks for a repair of a reply that did not parse. */
  repair: boolean
  /** Attempts before this one that failed, of the same prompt. */
  retries: number
  /** To be waited before it, outside the clock; ms. */
  waitMs: number
  schema: AgentRequest['schema'] | undefined
  options: (AskOptions & { shape?: z.ZodType }) | undefined
  /** What the branch had used when the ask began, where the ask has limits of its own. */
  begun: Used | undefined
}

/** The attempt as the agent gets it. */
export function requestOf(
  trialState: TrialState,
  branch: Branch,
  call: Attempt,
  folder: OpenFolder,
): AgentRequest {
  const { cell, id, epoch } = trialState.trial
  const { options } = call
  return {
    role: call.role,
    work: call.work,
    prompt: call.prompt,
    system: options?.system,
    session: options?.session,
    turns: options?.session === undefined ? undefined : turnsBefore(branch, call),
    maxOutput: options?.maxOutput,
    timeoutMs: timeLeft(trialState, branch, call),
    schema: call.schema,
    attempt: call.attempt,
    repair: call.repair,
    trial: {
      id,
      task: cell.task,
      method: cell.method.label,
      strategy: trialState.strategy.name,
      epoch,
      seed: cell.seed,
      key: call.key,
      rerun: trialState.recorded?.reruns ?? 0,
    },
    roles: trialState.roles,
    history: branch.state.history,
    workspace: agentWorkspace(trialState, branch, folder),
  }
}

/** The time that an attempt may take: the least of its own and what is left of the ask's and of the trial's. */
function timeLeft(trialState: TrialState, branch: Branch, call: Attempt): number | undefined {
  const { timeMs } = trialState.trial.cell.limits
  const ofAsk = call.options?.limits?.timeMs
  const left = [
    call.options?.timeoutMs,
    ofAsk !== undefined ? ofAsk - usedSince(branch, call).timeMs : undefined,
    timeMs !== undefined ? timeMs - branch.clock : undefined,
  ].filter((ms) => ms !== undefined)
  return left.length > 0 ? Math.min(...left) : undefined
}

function turnsBefore({ state }: Branch, { role, options }: Attempt) {
  return options?.session === undefined ? [] : turnsOf(state.conversations, role, options.session)
}

/** Tokens that an attempt may use, to an estimate: what goes in, and the most that may come out where the ask says so. */
export function expectedTokens(branch: Branch, call: Attempt): number {
  const { prompt, options } = call
  const turns = turnsBefore(branch, call).flatMap(({ prompt, reply }) => [prompt, reply])
  const texts = [prompt, options?.system ?? '', ...turns]
  return texts.reduce((sum, text) => sum + estimateTokens(text), options?.maxOutput ?? 0)
}

/** A folder that an agent asked for, so that the door can read and remove it. */
export interface OpenFolder {
  path?: string
  remove?(): Promise<void>
}

/** The branch's files as an agent reaches them. A folder is made only when one is asked for. */
function agentWorkspace(trialState: TrialState, branch: Branch, folder: OpenFolder): AgentWorkspace {
  const { run } = trialState
  return {
    files: () => filesOf(branch.state),
    peek() {
      const state = stateDigest(branch.state)
      const known = trialState.peeked.get(state)
      if (known) return known
      const result = visibleChecks(trialState, filesOf(branch.state), run.signal)
      trialState.peeked.set(state, result)
      // Checks that broke say nothing of the files: whoever looks again looks anew.
      result.catch(() => trialState.peeked.delete(state))
      return result
    },
    async folder() {
      if (folder.path === undefined) {
        const path = writePrivateCopy(filesOf(branch.state))
        folder.path = path
        folder.remove = () => removeFolder(path)
      }
      return folder.path
    },
    home: () => homeOf(trialState, branch),
  }
}

/** HOME of the agents in a branch: nothing that one trial, or one branch, left there is seen by another. */
export function homeOf(trialState: TrialState, { path }: Branch): string {
  trialState.homes ??= new Map()
  const home = trialState.homes.get(path) ?? mkdtempSync(join(tmpdir(), folderPrefix()))
  trialState.homes.set(path, home)
  return home
}

/** Removes them all at a trial's end. */
export async function removeHomes(homes: ReadonlyMap<string, string>): Promise<void> {
  for (const home of homes.values()) await removeFolder(home)
}
