import { setMaxListeners } from 'node:events'
import { join } from 'node:path'
import { z } from 'zod'
import type { Agent, AgentReply, AgentRequest } from '../../../src/agents/agent.ts'
import type { Verdicts } from '../../../src/graders/verdicts/verdicts.ts'
import type { RunState, TrialState } from '../../../src/loop/branch/trial-state.ts'
import type { RateLimiter } from '../../../src/loop/budget/rate-limiter.ts'
import type { RunBudget } from '../../../src/loop/budget/run-budget.ts'
import { openBlobs } from '../../../src/loop/journal/blobs.ts'
import { type Journal, openJournal } from '../../../src/loop/journal/journal.ts'
import { indexJournal, stepsOf } from '../../../src/loop/journal/ledger-index.ts'
import { makePlan } from '../../../src/loop/plan/plan.ts'
import { rolesOf } from '../../../src/loop/plan/row-agents.ts'
import { type Approvals, alwaysYes, type People } from '../../../src/loop/record/people.ts'
import { type FinishedTrial, gradeTrial } from '../../../src/loop/trial/grade-trial.ts'
import { playTrial as playMethod } from '../../../src/loop/trial/play-trial.ts'
import { spawnUnsandboxed } from '../../../src/sandbox/process/spawn.ts'
import type { SandboxRun } from '../../../src/sandbox/sandbox.ts'
import type { Faults } from '../../../src/schema/agent/faults.ts'
import type { AskStep, Step } from '../../../src/schema/ledger/step.ts'
import type { ToolStep } from '../../../src/schema/ledger/tool-step.ts'
import type { Limits } from '../../../src/schema/limits.ts'
import type { Capture } from '../../../src/schema/run/run.ts'
import type { Task } from '../../../src/schema/task.ts'
import type { MethodTools } from '../../../src/schema/tool/tool-set.ts'
import type { Strategy, StrategyContext, StrategyResult } from '../../../src/strategy.ts'
import type { Redactor } from '../../../src/text/redact.ts'
import { tempFolder } from '../machine/temp.ts'

/** A task with an answer to match; `42` passes. */
export const answerTask = (change: Partial<Task['spec']> = {}, files: Task['files'] = {}): Task => ({
  ref: 'test/answer',
  suite: 'test',
  spec: {
    id: 'answer',
    version: 1,
    title: 'The answer',
    output: 'answer',
    language: 'text',
    editable: [],
    graders: [{ kind: 'numeric', name: 'answer', tolerance: 0 }],
    rule: 'all',
    requires: [],
    limits: {},
    licence: 'MIT',
    source: 'test',
    properties: {},
    ...change,
  },
  instruction: 'What is six times seven?',
  files,
  checks: {},
  hidden: { tests: {}, solution: { answer: '42' } },
  digest: 'digest of the answer task',
  origin: 'test',
})

type Script = (request: AgentRequest) => Partial<AgentReply> | string | Promise<Partial<AgentReply> | string>

/** An agent that answers by a function; 100 tokens in, 10 out, one cent, one second, unless the function says otherwise. */
export function agentOf(script: Script, change: Partial<Agent> = {}): Agent {
  return {
    name: 'test',
    paid: false,
    simulated: false,
    async ask(request) {
      const reply = await script(request)
      return {
        text: '',
        tokens: { input: 100, output: 10, cached: 0 },
        costUsd: 0.01,
        durationMs: 1000,
        ...(typeof reply === 'string' ? { text: reply } : reply),
      }
    },
    ...change,
  }
}

/** Creates an agent that gives these replies in turn. */
export function agentThatReplies(...texts: string[]): Agent {
  let next = 0
  return agentOf(() => texts[next++] as string)
}

// Roles and options are whatever the test's strategy says.
// biome-ignore lint/suspicious/noExplicitAny: see the line above
export type AnyContext = StrategyContext<any, any>

/** A strategy with the roles that tests use. */
export const strategyOf = (run: (context: AnyContext) => Promise<StrategyResult>): Strategy => ({
  name: 'test',
  summary: '',
  roles: { solver: 'produce', judge: 'judge', planner: 'decide', summarizer: 'summarise' },
  options: z.object({}),
  run,
})

export interface Setting {
  agent: Agent
  strategy: Strategy
  /** The strategy's; its defaults are not filled in. */
  options?: Readonly<Record<string, unknown>>
  task?: Task
  limits?: Limits
  /** Most retries of an ask; none by default. */
  retries?: number
  faults?: Faults
  mode?: 'dev' | 'live'
  /** A run folder to go on with. */
  folder?: string
  /** From the journal alone. */
  replay?: boolean
  /** On replay: the error in which the trial ended. */
  broke?: string
  /** Takes the trace events in place of the run folder. */
  event?: RunState['event']
  signal?: AbortSignal
  /** The sandbox of checks and graders; none by default. */
  sandbox?: SandboxRun
  approvals?: Approvals
  people?: People
  redact?: Redactor
  /** The parts of each ask that are kept. */
  capture?: Capture
  runBudget?: RunBudget
  rateLimiter?: RateLimiter
  /** The agent or the strategy is code of the user's. */
  userCode?: true
  /** The tools of the method. */
  tools?: MethodTools | undefined
  toolFiles?: ReadonlyMap<string, string>
  /** Who judges a task with a rubric; nobody by default. */
  judges?: readonly Agent[]
  /** Verdicts of code that a file keeps. */
  verdicts?: Verdicts
  /** Trials under way. */
  running?: TrialState[]
  /** Candidates of producing roles are graded, too. */
  gradeCandidates?: true
}

/** One agent for every role of a strategy. */
export function agentForAll(strategy: Strategy, agent: Agent, options = {}): Record<string, Agent> {
  return Object.fromEntries(Object.keys(rolesOf(strategy, options)).map((role) => [role, agent]))
}

/** Runs one trial over a real journal in a folder; gives what came out, and the folder for the next session. */
export async function playTrial(
  setting: Setting,
): Promise<FinishedTrial & { folder: string; steps: Step[] }> {
  const { agent, strategy, task = answerTask(), limits = {}, folder = tempFolder() } = setting
  const [trial] = makePlan({
    tasks: [{ ref: task.ref, digest: task.digest, limits: {} }],
    methods: [
      {
        label: 'test',
        strategy: 'test',
        options: setting.options ?? {},
        digest: 'd',
        ...(setting.tools && { tools: setting.tools }),
      },
    ],
    agents: { '*': 'test' },
    profile: null,
    limits,
    retries: setting.retries,
    faults: setting.faults,
    seed: 1,
    epochs: 1,
  })
  if (!trial) throw new Error('no trial')
  const journal: Journal | undefined = setting.replay ? undefined : openJournal(folder)
  const blobs = journal?.blobs ?? openBlobs(join(folder, 'blobs'))
  const run: RunState = {
    mode: setting.mode ?? 'dev',
    agents: new Map([['test', agentForAll(strategy, agent, setting.options)]]),
    judges: setting.judges ?? [],
    sandbox: setting.sandbox ?? spawnUnsandboxed,
    journal,
    blobs,
    event: setting.event ?? (journal && ((...event) => journal.event(...event))),
    checkMs: 500,
    approvals: setting.approvals ?? alwaysYes,
    people: setting.people,
    runBudget: setting.runBudget,
    rateLimiter: setting.rateLimiter,
    userCode: setting.userCode,
    running: setting.running ?? [],
    signal: setting.signal ?? new AbortController().signal,
    redact: setting.redact,
    capture: setting.capture,
    toolFiles: setting.toolFiles,
    verdicts: setting.verdicts,
    gradeCandidates: setting.gradeCandidates,
  }
  setMaxListeners(0, run.signal)
  const index = indexJournal(folder, blobs, () => true)
  try {
    const recorded = {
      ...index.readTrial(trial.id),
      ...(setting.broke !== undefined && { broke: setting.broke }),
    }
    const finished = await gradeTrial(await playMethod(run, trial, task, strategy, recorded))
    journal?.flush()
    return { ...finished, folder, steps: [...stepsOf(folder, trial.id, blobs)] }
  } finally {
    index.close()
    journal?.close()
  }
}

type KindOnly = readonly { kind: string }[]

/** The asks among steps. */
export const asksIn = (steps: KindOnly): AskStep[] =>
  steps.filter((step): step is AskStep => step.kind === 'ask')

/** The calls of tools among steps. */
export const toolCallsIn = (steps: KindOnly): ToolStep[] =>
  steps.filter((step): step is ToolStep => step.kind === 'tool')
