import type { Agent } from '../../../src/agents/agent.ts'
import type { Session } from '../../../src/loop/branch/run-session.ts'
import { makePlan } from '../../../src/loop/plan/plan.ts'
import { alwaysYes } from '../../../src/loop/record/people.ts'
import { type WorkEnd, type WorkOptions, work } from '../../../src/loop/work/work.ts'
import { spawnUnsandboxed } from '../../../src/sandbox/process/spawn.ts'
import type { Task } from '../../../src/schema/task.ts'
import type { Strategy } from '../../../src/strategy.ts'
import { agentForAll, answerTask } from './trial.ts'

/** What is run: so many trials of one strategy on one task, all roles played by one agent. */
export interface Trials {
  folder: string
  mode: 'dev' | 'live'
  agent: Agent
  strategy: Strategy
  epochs: number
  /** One with an answer by default. */
  task?: Task
}

/** Runs the trials, two in parallel, or resumes them. Returns the warnings. */
export async function workOff(
  { folder, mode, agent, strategy, epochs, task = answerTask() }: Trials,
  options: Partial<WorkOptions> = {},
  session: Pick<Session, 'keepWorkspaces' | 'redact'> = {},
): Promise<{ end: WorkEnd; notes: string[] }> {
  const plan = makePlan({
    tasks: [{ ref: task.ref, digest: task.digest, limits: {} }],
    methods: [{ label: strategy.name, strategy: strategy.name, options: {}, digest: 'd' }],
    agents: { '*': agent.name },
    profile: null,
    limits: {},
    seed: 1,
    epochs,
  })
  const notes: string[] = []
  const end = await work(
    {
      folder,
      mode,
      plan,
      tasks: new Map([[task.ref, task]]),
      strategies: new Map([[strategy.name, strategy]]),
      agents: new Map([[strategy.name, agentForAll(strategy, agent)]]),
      judges: [],
      uniqueAgents: [agent],
      sandbox: spawnUnsandboxed,
      checkMs: 0,
      approvals: alwaysYes,
      ...session,
    },
    {
      parallel: 2,
      signal: new AbortController().signal,
      onEvent: (event) => event.type === 'warning' && notes.push(event.message),
      ...options,
    },
  )
  return { end, notes }
}
