import type { ChainState, StageStatus } from '../../schema/stage/chain-state.ts'
import type { StageEnd } from '../../stage.ts'
import type { StrategyContext, Workspace } from '../../strategy.ts'
import { gitObjectHash } from '../../text/git-object.ts'
import { notForAnswers, readState, roleOf, type StageName, stageFiles, stateText } from './stages.ts'

/** What a chain needs of a strategy's context. It asks nobody itself: its stages do. */
export type Context = Pick<
  StrategyContext<never, unknown>,
  | 'checkpoint'
  | 'delivers'
  | 'instruction'
  | 'label'
  | 'outputs'
  | 'programs'
  | 'random'
  | 'stage'
  | 'workspace'
>

/** A chain at work. */
export interface Chain {
  context: Context
  /** The state file, as the last stage left it and checked. */
  state: ChainState
  /** What the workflow began with, by path. */
  start: Readonly<Record<string, string>>
  /** The longest time of a stage; ms. */
  timeoutMs: number
  /** Whether agents read the failures that tools report, or all that tools print. */
  reports: 'compact' | 'raw'
  /** How the stages ended that were started. */
  ends: StageRecord[]
  /** Whether any agent has given a usable reply. */
  hasAnswer: boolean
}

/** How a stage ended: its round, its exit code, and why it counts as broken. */
interface StageRecord {
  stage: StageName
  round: number
  exit: number | null
  broken?: string
}

/**
 * What a stage came to: it is good, it judged the work and found it wanting, or it is broken. A broken stage says nothing about the
 * work, so the chain ends.
 */
export type Ended =
  | { status: 'good'; detail?: string }
  | { status: 'wanting' }
  | { status: 'broken'; detail: string }

/** Runs a stage on the files, and keeps its files and its state. A stage that does not apply is not started. */
export async function runStage(chain: Chain, stage: StageName): Promise<Ended> {
  const { context, state } = chain
  if (state.output === 'answer' && notForAnswers.includes(stage)) {
    const detail = 'the task wants an answer'
    await keepState(chain, withStatus(state, { stage, status: 'n/a', detail }))
    return { status: 'good', detail: `n/a, ${detail}` }
  }
  const given = withoutResult(state, stage)
  const end = await context.stage(stage, {
    command: ['node', `{stage}/${stage}.mjs`, state.issue, state.workflow_id],
    files: stageFiles(stage, context.programs, chain.start, context.workspace),
    state: stateText(given),
    roles: rolesFor(stage),
    timeoutMs: chain.timeoutMs,
    // Tools end before their stage does.
    env: {
      CHAIN_SECONDS: String(chain.timeoutMs / 1000),
      ...(chain.reports === 'raw' && { CHAIN_REPORTS: 'raw' }),
    },
  })
  // A provider that is down is no failure of the method.
  if (end.failedAsk && !chain.hasAnswer) throw end.failedAsk
  chain.hasAnswer ||= end.asks > 0
  const record: StageRecord = { stage, round: state.round, exit: end.exitCode }
  chain.ends.push(record)
  const read = readState(end.state, state.workflow_id)
  const breaks = (why: string): Ended => {
    record.broken = why
    return { status: 'broken', detail: `stage ${stage}: ${why}` }
  }
  if (end.exitCode === null) return breaks(end.reason ?? 'it did not end by itself')
  if (end.state === undefined && end.exitCode > 1) return breaks(failureOf(end))
  if ('problem' in read) return breaks(read.problem)
  const isWanting = end.exitCode !== 0 && !end.failedAsk && isFoundWanting(read.state, stage)
  // What an agent did counts even where its stage failed afterwards.
  if (end.exitCode === 0 || isWanting || stage === 'build') context.workspace.adopt(end.workspace)
  await keepState(chain, read.state)
  if (isWanting) return { status: 'wanting' }
  if (end.exitCode !== 0) return breaks(ownDetail(read.state, stage) ?? failureOf(end))
  const problem = wrongResult(chain, stage)
  return problem === undefined ? { status: 'good' } : breaks(problem)
}

const rolesFor = (stage: StageName): string[] => {
  const role = roleOf[stage]
  return role === undefined ? [] : [role]
}

async function keepState(chain: Chain, state: ChainState): Promise<void> {
  const kept = await chain.context.checkpoint(state)
  const read = readState(JSON.stringify(kept), state.workflow_id)
  if ('problem' in read) throw new Error(`the state that a person set cannot be used: ${read.problem}`)
  chain.state = read.state
}

const withStatus = (state: ChainState, status: StageStatus): ChainState => ({
  ...state,
  stages: [...state.stages, status],
})

/** Returns the state without what an earlier round of the stage found, so that this is not mistaken for a new result. */
function withoutResult(state: ChainState, stage: StageName): ChainState {
  const { test_results, test_gen_results, review, documentation, ship, ...rest } = state
  switch (stage) {
    case 'test':
      return { ...rest, review, documentation, ship }
    case 'review':
      return { ...rest, test_results, test_gen_results, documentation, ship }
    default:
      return state
  }
}

/** Whether a stage that ended with an error has judged the work: it wrote down a result that is not good. */
function isFoundWanting(state: ChainState, stage: StageName): boolean {
  switch (stage) {
    case 'build':
      return state.build_results?.success === false
    case 'test':
      return state.test_results?.success === false
    case 'review':
      return (
        state.review !== undefined && (state.review.verdict === 'revise' || state.review.blocking.length > 0)
      )
    default:
      return false
  }
}

/** Returns what is wrong with the result of a stage that says that it is good. */
function wrongResult({ state, context }: Chain, stage: StageName): string | undefined {
  if (stage === 'build' && state.output === 'answer' && state.answer === undefined) return 'it left no answer'
  if (stage !== 'ship') return undefined
  if (state.ship === undefined) return 'it shipped nothing'
  const tree = gitTreeHash(context.workspace)
  if (state.ship.tree === tree) return undefined
  return `it shipped the tree ${state.ship.tree}, but the files are the tree ${tree}`
}

function ownDetail({ stages }: ChainState, stage: StageName): string | undefined {
  const last = stages.at(-1)
  return last?.stage === stage && last.status === 'failed' ? last.detail : undefined
}

/** Returns the line of a program's output that says why it failed. */
function failureOf({ output, exitCode }: StageEnd): string {
  const lines = output.split('\n').filter((line) => line.trim() !== '')
  return lines.findLast((line) => /Error\b/.test(line)) ?? lines.at(-1) ?? `it ended with ${exitCode}`
}

/** Folders that are never part of the work. */
const leftOut = ['.git', '.bench', 'node_modules', '__pycache__']

/** Returns the hash that git gives the tree of a workspace's files. Each file is a plain one, mode 100644. */
export function gitTreeHash({ list, read }: Pick<Workspace, 'list' | 'read'>): string {
  const root: Folder = new Map()
  for (const path of list()) {
    const parts = path.split('/')
    if (!parts.some((part) => leftOut.includes(part))) put(root, parts, read(path) ?? '')
  }
  return hashFolder(root)
}

type Folder = Map<string, Folder | string>

function put(folder: Folder, [name = '', ...rest]: readonly string[], text: string): void {
  if (rest.length === 0) {
    folder.set(name, text)
    return
  }
  const inner = folder.get(name)
  const next: Folder = typeof inner === 'object' ? inner : new Map()
  folder.set(name, next)
  put(next, rest, text)
}

function hashFolder(folder: Folder): string {
  const entries = [...folder].map(([name, entry]) =>
    typeof entry === 'string'
      ? {
          sortedAs: Buffer.from(name),
          head: `100644 ${name}\0`,
          hash: gitObjectHash('blob', Buffer.from(entry)),
        }
      : // git sorts a folder as if its name ended with a slash.
        { sortedAs: Buffer.from(`${name}/`), head: `40000 ${name}\0`, hash: hashFolder(entry) },
  )
  entries.sort((a, b) => Buffer.compare(a.sortedAs, b.sortedAs))
  const parts = entries.flatMap(({ head, hash }) => [Buffer.from(head), Buffer.from(hash, 'hex')])
  return gitObjectHash('tree', Buffer.concat(parts))
}
