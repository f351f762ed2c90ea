import { rowName } from '../../schema/agent/agent-set.ts'
import type { Score } from '../../schema/ledger/outcome.ts'
import type { TrialRecord } from '../../schema/ledger/record.ts'
import type { HandedIn } from '../story/handed-in.ts'
import { wholeAgentsText } from '../words/agents-text.ts'
import { reasonText, safeLine, safeText } from '../words/safe-text.ts'

/** A row of the page's table of trials, as data for the page's script. */
export interface TrialRow {
  id: string
  task: string
  suite: string
  method: string
  agents: string
  /** Its method with its set of agents, if the run has several sets. */
  row?: string
  epoch: number
  outcome: string
  passed: 'passed' | 'not passed' | 'not graded'
  /** 0 to 1; null: not graded. */
  score: number | null
  /** Null: unknown, because some calls were not reported. */
  tokens: number | null
  costUsd: number | null
  calls: number
  iterations: number
  /** Null: unknown, because its replies were recorded. */
  ms: number | null
}

/** Returns the row of a record. `agents` is how tables show those of its method. */
export function trialRow(record: TrialRecord, agents = wholeAgentsText(record.agents)): TrialRow {
  const { spent, passed } = record
  return {
    id: record.trial,
    task: safeLine(record.task),
    suite: safeLine(record.suite),
    method: safeLine(record.method),
    agents: safeLine(agents),
    ...(record.agentSet !== undefined && { row: safeLine(rowName(record.method, record.agentSet)) }),
    epoch: record.epoch,
    outcome: record.outcome.status,
    passed: passed === null ? 'not graded' : passed ? 'passed' : 'not passed',
    score: record.score,
    tokens: spent.unreportedTokens > 0 ? null : spent.input + spent.output,
    costUsd: spent.unreportedCost > 0 ? null : spent.costUsd,
    calls: spent.calls,
    iterations: record.iterations,
    ms: record.durationMs,
  }
}

/** Place of a text among the texts of the page; null: there is none; -1: not stored, or left out because of its size. */
type TextPlace = number | null

interface PageDelivery {
  answer: TextPlace
  /** Path, text in the beginning, text at the end; null: unknown. */
  files: [path: string, before: TextPlace, after: TextPlace][] | null
  /** Verdicts of graders, and why the trial ended. */
  verdicts: number[]
}

/** What the trials of a page handed in; null: left out because of its size. Equal texts are held once. */
export interface HandedInData {
  trials: (PageDelivery | null)[]
  texts: string[]
}

/** Says what a grader found, with the tests that failed on lines of their own. */
export function verdictText({ name, value, tests, reason }: Score): string {
  const head = `${name}: ${value.toFixed(2)}`
  if (!tests) return `${head}. ${reason}${/[\p{L}\p{N}]$/u.test(reason) ? '.' : ''}`.trim()
  const failures = reason.replace(/^\d+ of \d+ tests passed[.:]?\s*/, '')
  return `${head}, ${tests.passed} of ${tests.total} passed.${failures ? `\n${failures}` : ''}`
}

/** Collects what trials handed in, up to about `most` characters of text. */
export function collectHandedIn(most: number) {
  const data: HandedInData = { trials: [], texts: [] }
  const places = new Map<string, number>()
  let characters = 0
  const placeOf = (text: string): number => {
    const safe = safeText(text)
    const known = places.get(safe)
    if (known !== undefined) return known
    if (characters + safe.length > most) return -1
    characters += safe.length
    places.set(safe, data.texts.length)
    return data.texts.push(safe) - 1
  }
  const orNot = (text: string | null | undefined): TextPlace =>
    text === undefined ? -1 : text === null ? null : placeOf(text)
  return {
    data,
    isFull: () => characters >= most,
    /** Adds a trial; `delivery` undefined: what it handed in is left out. */
    add(record: TrialRecord, delivery: HandedIn | undefined): void {
      if (!delivery || characters >= most) {
        data.trials.push(null)
        return
      }
      const { answer, files } = delivery
      const { scores, outcome } = record
      data.trials.push({
        answer: orNot(answer),
        files: files?.map(({ path, before, after }) => [safeText(path), orNot(before), orNot(after)]) ?? null,
        verdicts: [
          ...scores.map((score) => placeOf(verdictText(score))),
          ...(outcome.reason ? [placeOf(`${outcome.status}: ${reasonText(record)}`)] : []),
        ],
      })
    },
  }
}
