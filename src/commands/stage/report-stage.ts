import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { counted, formatCount, formatUsd, unknown } from '../../reports/words/numbers.ts'
import { safeLine, safeText } from '../../reports/words/safe-text.ts'
import { ChainState } from '../../schema/stage/chain-state.ts'
import { shellWord } from '../../text/shell-word.ts'
import type { StageWords } from './open-workflow.ts'
import type { StageResult } from './stage-result.ts'

/** A stage that has ended: its run, and what came of it in the workflow. */
interface EndedStage {
  words: StageWords
  home: string
  folder: string
  result: StageResult
  /** How the stage ship ended in the workflow's own repository. */
  shipped: { problem?: string } | undefined
}

const resultFields: Readonly<Record<string, readonly (keyof ChainState)[]>> = {
  plan: ['plan'],
  build: ['answer', 'build_results'],
  test: ['test_gen_results', 'test_results'],
  review: ['review'],
  document: ['documentation'],
  ship: ['ship'],
}

/** Prints what a stage found or made, and what it cost. */
export function reportStage(ended: EndedStage, json: boolean): void {
  const state = ChainState.parse(JSON.parse(readFileSync(join(ended.home, 'state.json'), 'utf8')))
  process.stdout.write(json ? `${JSON.stringify(toJson(ended, state), null, 2)}\n` : toText(ended, state))
  const { folder, result, shipped } = ended
  if (shipped?.problem !== undefined) process.stderr.write(`${safeText(shipped.problem)}\n`)
  process.stderr.write(
    `prompts and replies: bench show ${shellWord(folder)} ${result.record.trial.slice(0, 12)}\nrun folder: ${folder}\n`,
  )
}

const statusOf = ({ words, result }: EndedStage, { stages }: ChainState) => {
  const last = result.state && stages.at(-1)
  return last?.stage === words.stage ? last : undefined
}

const resultOf = ({ words, result }: EndedStage, state: ChainState) =>
  result.state
    ? (resultFields[words.stage] ?? []).flatMap((field) =>
        state[field] === undefined ? [] : [[field, state[field]] as const],
      )
    : []

const filesOf = ({ result }: EndedStage) => (result.state ? Object.entries(result.files) : [])

function toJson(ended: EndedStage, state: ChainState) {
  const { words, home, folder, result, shipped } = ended
  const { trial, agents, simulated, outcome, spent } = result.record
  const files = filesOf(ended)
  return {
    ...{ run: folder, trial, workflow: words.workflow, issue: state.issue, stage: words.stage },
    ...{ exitCode: result.exit ?? null, broken: result.broken ?? shipped?.problem ?? null, outcome },
    status: statusOf(ended, state) ?? null,
    result: Object.fromEntries(resultOf(ended, state)),
    written: files.flatMap(([path, text]) => (text === null ? [] : [path])),
    deleted: files.flatMap(([path, text]) => (text === null ? [path] : [])),
    state: join(home, 'state.json'),
    ...{ agents, simulated, spent },
  }
}

/** A result as compact JSON, without the patch, which is a file of its own. */
const shown = (value: unknown): string =>
  JSON.stringify(value, (name, inner) => (name === 'patch' ? undefined : inner))

function toText(ended: EndedStage, state: ChainState): string {
  const { words, home, result, shipped } = ended
  const { outcome, spent, simulated } = result.record
  const status = statusOf(ended, state)
  const head =
    outcome.status === 'completed'
      ? `stage ${words.stage}: ${result.broken ?? (status ? `${status.status}${status.detail === undefined ? '' : `, ${status.detail}`}` : 'not started')}`
      : `stage ${words.stage}: ${outcome.status}, ${outcome.reason}; workflow ${words.workflow} is as it was before`
  const texts = resultOf(ended, state).map(([field, value]) =>
    typeof value === 'string' ? safeText(value).trimEnd() : `${field}: ${safeLine(shown(value))}`,
  )
  const files = filesOf(ended).map(([path, text]) =>
    safeLine(`${text === null ? 'deleted' : 'written'}: ${join(home, 'workspace', path)}`),
  )
  const { calls, input, output, costUsd, unreportedTokens } = spent
  const tokens =
    unreportedTokens > 0 || input === null || output === null
      ? 'tokens unknown'
      : `${formatCount(input)} tokens in, ${formatCount(output)} out`
  const cost = `total: ${counted(calls, 'call')}, ${tokens}, ${costUsd === null ? `cost ${unknown}` : formatUsd(costUsd)}${simulated ? ', simulated' : ''}`
  const patch = shipped && shipped.problem === undefined ? [`patch: ${join(home, 'change.patch')}`] : []
  const place = result.state ? [`state: ${join(home, 'state.json')}`] : []
  const tail = [...files, ...patch, ...place, cost]
  return `${[safeLine(head), ...texts, tail.join('\n')].join('\n\n')}\n`
}
