import type { CallBill } from '../agents/price-book.ts'
import type { Tokens } from '../schema/tokens.ts'
import type { ToolCall } from '../schema/tool/tool-call.ts'
import { type Problem, UserError } from '../text/errors.ts'
import { isObject } from '../text/is-object.ts'
import { withNear } from '../text/near-word.ts'
import { tooDeep } from './read-document.ts'

/**
 * What a file of another harness says of one trial. `not graded` has no verdict, `error` broke outside of the agent, `not run` was planned
 * and has no result. None of these three is a failure.
 */
export type ForeignState = 'passed' | 'failed' | 'not graded' | 'error' | 'not run'

/** A trial as another harness states it. What its file does not say is null: unknown, never 0. */
export interface ForeignTrial {
  /** The file, and the place in it. */
  where: string
  /** Its name in the source: what has the same name is the same trial, found twice. Absent: the source has no names. */
  id?: string
  /** Its place in what the source planned: what was not run or broke there may have been tried again in another file. */
  planned?: string
  /** What tried: an agent, a solver, a prompt, a submission. */
  agent: string | null
  model: string | null
  /** The benchmark, and its version as the source states it. */
  suite: string
  version?: string | undefined
  task: string
  /** Tasks of one cluster are alike, such as those of one repository. Absent: the source does not say. */
  cluster?: string | undefined
  /** What the source states of the task's content: a checksum, or its text. Another content is another task. */
  content?: string | undefined
  /** The repetition, from 1; absent: their order in the source. */
  epoch?: number | undefined
  state: ForeignState
  /** Why, in words of the source; empty: it does not say. */
  reason: string
  /** The limit that ended the trial, such as its time; it may have passed all the same. */
  limit?: string | undefined
  /** 0 to 1. */
  score: number | null
  tokens: Tokens
  /** The address of the server that answered, if it is not the vendor's own. */
  server?: string | undefined
  /** What each model used, if it was not the trial's model alone. */
  uses?: readonly { model: string; tokens: Tokens }[]
  /** US dollars. */
  costUsd: number | null
  /** The cost was computed by bench from the tokens; else why it could not, if it was asked to. */
  priced?: CallBill | { why: string }
  /** Calls of models. */
  calls: number | null
  durationMs: number | null
  startedAt?: string | undefined
  /** What was handed in, if it is a text. */
  answer?: string | undefined
  /** What the model said to the task alone, in one reply; absent: the source does not have it, or there were several. */
  reply?: { text: string; prompt?: string | undefined; finish?: string | undefined }
}

/** A total that a source states, to be compared with what is counted. */
export interface StatedTotal {
  where: string
  /** Whose total it is, as `nameOf` names rows. */
  agent: string | null
  model: string | null
  what: 'passed' | 'success rate' | 'trials' | `pass@${number}`
  value: number
}

/** One thing that a transcript tells. `branch` is the path of names of the subagent that it is of; absent: the main agent. */
export type StoryPart = { branch?: string } & (
  | { kind: 'system' | 'user'; text: string }
  | {
      kind: 'reply'
      text: string
      model: string | null
      calls: ToolCall[]
      tokens: Tokens
      /** US dollars. */
      costUsd: number | null
    }
  /** What a tool gave. `call` is the id of the call; null: the source does not say. */
  | { kind: 'result'; call: string | null; name: string | null; text: string; failed: boolean }
)

/** A trial, and its transcript, if the source has one. Reading it throws `UserError` where it is damaged. */
export interface TrialFinding {
  trial: ForeignTrial
  story?: () => StoryPart[] | Promise<StoryPart[]>
}

/** What a source holds besides trials: a stated total, something that is left out with the reason, or something that cannot be read. */
export type Finding =
  | TrialFinding
  | { stated: StatedTotal }
  | { leftOut: { where: string; what: string } }
  | { problem: Problem }

/** A result of which the parts cannot be read, or are of another shape. Those behind it can be read all the same. */
export interface BrokenResult {
  broken: UserError
}

/** Reads one result of several. What a user has to mend in it is returned, so that those behind it can be read. */
export async function readResult<Found>(
  where: string,
  read: () => Found | Promise<Found>,
): Promise<Found | BrokenResult> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof RangeError) return { broken: tooDeep(where) }
    if (error instanceof UserError) return { broken: error }
    throw error
  }
}

/** Reads the results of one harness. */
export interface Importer {
  /** The harness. */
  title: string
  /** What of a harness is imported, as a hint for a path that is none of it. */
  wanted: string
  /** What it takes of what a user says. */
  takes?: readonly ('score' | 'columns' | 'taskList')[]
  /** The cluster of a task by its name, for users who ask for clusters; absent: names do not tell. */
  clusterOf?(task: string): string
  /** The versions of the format that were tried, such as 2 or 0.3: a further part of a version changes nothing. */
  tested?: readonly string[]
  read(path: string, options: ImportOptions): AsyncIterable<Finding | BrokenResult>
}

/** What a user says of a source. */
export interface ImportOptions {
  /** Notes the version of the format that a source states. Throws `UserError` for what is no version. */
  noteVersion(version: string, where: string): void
  /** The score that counts, where tasks have several. */
  score?: string | undefined
  /** All tasks, for sources that name only some of them. */
  tasks?: readonly string[] | undefined
  /** The fields of a table, by what they hold. */
  columns?: Readonly<Record<string, string>> | undefined
}

/** Returns a number that is finite and not negative; else null. */
export const amount = (value: unknown): number | null =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : null

/** Returns a text that is not empty; else null. */
export const words = (value: unknown): string | null =>
  typeof value === 'string' && value.trim() !== '' ? value : null

/** Returns the milliseconds between two times; null if one is unknown or they are in another order. */
export function msBetween(start: unknown, end: unknown): number | null {
  const ms = Date.parse(String(end)) - Date.parse(String(start))
  return Number.isFinite(ms) && ms >= 0 ? ms : null
}

/** Tokens of which nothing is known. */
export const noTokens = { input: null, output: null, cached: null } as const

/** What a verdict of a source says. */
export type Grade = Pick<ForeignTrial, 'state' | 'reason' | 'score'>

/** Words for verdicts, as in Inspect AI: correct, incorrect, partial, no answer; and as in tables. */
const verdictWords: Readonly<Record<string, number>> = {
  ...{ c: 1, i: 0, p: 0.5, n: 0 },
  ...{
    true: 1,
    false: 0,
    t: 1,
    f: 0,
    yes: 1,
    no: 0,
    y: 1,
    ok: 1,
    '✓': 1,
    '✔': 1,
    '✅': 1,
    '✗': 0,
    '✘': 0,
    '❌': 0,
  },
  ...{ pass: 1, fail: 0, passed: 1, failed: 0 },
  ...{ correct: 1, incorrect: 0, resolved: 1, unresolved: 0, success: 1, failure: 0 },
}

/** Returns what a value of a source says: only a whole score is passed; no value, or one that is no share, is not graded. */
export function gradeOf(value: unknown): Grade {
  const score = scoreOf(value)
  if (score === undefined) return { state: 'not graded', reason: missingReason(value), score: null }
  return {
    state: score >= 1 ? 'passed' : 'failed',
    reason: score > 0 && score < 1 ? `the score is ${score}` : '',
    score,
  }
}

function scoreOf(value: unknown): number | undefined {
  if (typeof value === 'boolean') return value ? 1 : 0
  if (typeof value === 'string') {
    const known = verdictWords[value.trim().toLowerCase()]
    return known ?? (value.trim() === '' ? undefined : scoreOf(Number(value)))
  }
  return typeof value === 'number' && value >= 0 && value <= 1 ? value : undefined
}

function missingReason(value: unknown): string {
  if (value === undefined || value === null || value === '' || Number.isNaN(value)) return ''
  if (isObject(value) || Array.isArray(value)) return 'the verdict has several values'
  return `the verdict ${JSON.stringify(value)} is no share of 1`
}

/** Returns the error for a score that the user names and a trial does not have. */
export const noScore = (where: string, score: string, names: readonly string[]): UserError =>
  new UserError({
    where: `${where} --score ${score}`,
    what: 'names a score that this trial does not have',
    fix: withNear(score, names, `Its scores: ${names.join(', ')}.`),
  })
