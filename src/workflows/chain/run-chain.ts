import type { ChainState } from '../../schema/stage/chain-state.ts'
import type { StrategyResult } from '../../strategy.ts'
import { LimitError } from '../../text/errors.ts'
import { type Chain, type Context, type Ended, runStage } from './run-stage.ts'
import { lastStages, newState, roundStages, type StageName, textsOf } from './stages.ts'

interface ChainOptions {
  stages: readonly StageName[]
  rounds: number
  timeoutMs: number
  /** Whether agents read the failures that tools report, or all that tools print. */
  reports: 'compact' | 'raw'
  /** The stage that runs alone; null for a whole chain. */
  only: StageName | null
  /** What the workflow has come to; undefined where it begins. */
  state: ChainState | undefined
  /** What the workflow began with, by path; null where it begins. */
  start: Readonly<Record<string, string>> | null
}

type End = Pick<StrategyResult, 'stopReason' | 'detail'>

/** Walks through the chain, or runs one stage of it alone. A stage that breaks ends it; the work so far is handed in. */
export async function runChain(context: Context, options: ChainOptions): Promise<StrategyResult> {
  const chain: Chain = {
    context,
    state: options.state ?? newState(context),
    start: options.start ?? textsOf(context.workspace),
    timeoutMs: options.timeoutMs,
    reports: options.reports,
    ends: [],
    hasAnswer: false,
  }
  try {
    const end = options.only === null ? await walk(chain, options) : await runAlone(chain, options.only)
    return { ...handIn(chain), ...end, state: stateOf(chain) }
  } catch (error) {
    if (!(error instanceof LimitError)) throw error
    // It decides the outcome anyway; so the record has what the stages came to. What was handed in last is the answer.
    return { stopReason: 'halted', detail: `a limit of the trial: ${error.message}`, state: stateOf(chain) }
  }
}

const stateOf = ({ state, ends }: Chain) => ({ state, ends })

/** Keeps what the stages wrote beside the work. Returns the answer, if the task wants one. */
function handIn({ context, state }: Chain): Pick<StrategyResult, 'answer'> {
  if (state.documentation !== undefined) context.outputs.write('document.md', state.documentation, 'summary')
  if (state.ship !== undefined) context.outputs.write('change.patch', state.ship.patch)
  return state.output === 'answer' && state.answer !== undefined ? { answer: state.answer } : {}
}

async function runAlone(chain: Chain, only: StageName): Promise<End> {
  chain.context.label({ round: chain.state.round })
  const ended = await runStage(chain, only)
  if (ended.status === 'broken') return halted(ended)
  if (ended.status === 'wanting')
    return { stopReason: 'halted', detail: `stage ${only} alone: the work is not good` }
  // It was not started, so the chain alone can say that it does not count against the work.
  if (chain.ends.length === 0) chain.ends.push({ stage: only, round: chain.state.round, exit: 0 })
  return { stopReason: 'done', detail: `stage ${only} alone: ${ended.detail ?? 'good'}` }
}

async function walk(chain: Chain, { stages, rounds }: ChainOptions): Promise<End> {
  const has = (stage: StageName) => stages.includes(stage)
  if (has('plan')) {
    const ended = await runStage(chain, 'plan')
    if (ended.status === 'broken') return halted(ended)
  }
  // Where nothing is mended, another round would find the same.
  const mended = await mend(chain, roundStages.filter(has), has('build') ? rounds : 1)
  if ('stopReason' in mended) return mended
  const detail = has('build')
    ? `all stages were good in round ${mended.round}`
    : 'the chain has no stage `build`'
  // A note on nothing would cost a call.
  if (!chain.context.delivers(chain.state.answer)) return { stopReason: 'halted', detail }
  for (const stage of lastStages.filter(has)) {
    const ended = await runStage(chain, stage)
    if (ended.status === 'broken') return halted(ended)
  }
  return { stopReason: 'done', detail }
}

/** Repeats stages until all of them are good. Returns the round in which they were, or how the chain ends if they never are. */
async function mend(
  chain: Chain,
  stages: readonly StageName[],
  rounds: number,
): Promise<End | { round: number }> {
  let failed: StageName[] = []
  for (let round = 1; round <= rounds; round++) {
    chain.state = { ...chain.state, round }
    chain.context.label({ round })
    failed = []
    for (const stage of stages) {
      // What comes behind a failure is only of use where nothing is mended any more.
      if (failed.length > 0 && round < rounds) break
      const ended = await runStage(chain, stage)
      if (ended.status === 'broken') return halted(ended)
      if (ended.status === 'wanting') failed.push(stage)
    }
    if (failed.length === 0) return { round }
  }
  const used = `${rounds} ${rounds === 1 ? 'round' : 'rounds'}`
  return { stopReason: 'exhausted', detail: `not good after ${used}, by ${failed.join(', ')}` }
}

const halted = ({ detail }: Extract<Ended, { status: 'broken' }>): End => ({ stopReason: 'halted', detail })
