import { z } from 'zod'
import type { Approval, CheckResult, StrategyContext } from '../strategy.ts'
import { AgentError } from '../text/errors.ts'
import type { StageScene } from './play-stage.ts'
import type { SceneTools } from './play-tools.ts'

/** What surrounds a strategy that is played. */
export interface Scene {
  instruction?: string
  /** What the task states of itself, such as `{ tag: ['math'] }`. */
  properties?: StrategyContext<string, unknown>['properties']
  files?: Readonly<Record<string, string>>
  /** What `check()` answers in turn; without it: `none`. A word stands for a whole result. */
  checks?: readonly (CheckResult | 'passed' | 'failed')[]
  approvals?: readonly Approval[]
  /** How the stages end that the strategy runs, in turn. */
  stages?: readonly StageScene[]
  /**
   * Tools by name that doubles can call before they answer: what each answers, or a function of the arguments. Every ask that produces
   * work has them; another ask has those that it names in its option `tools`.
   */
  tools?: SceneTools
  seed?: string
  /** What the task wants; an answer by default. */
  output?: 'answer' | 'files'
}

const count = z.int().nonnegative()

/** The type `Scene` is written by hand, because a type inferred from a schema has no doc comments. */
export const SceneInput = z
  .strictObject({
    instruction: z.string(),
    properties: z.record(z.string(), z.union([z.number(), z.string(), z.array(z.string())])),
    files: z.record(z.string(), z.string()),
    checks: z.array(
      z.union([
        z.enum(['passed', 'failed']),
        z.strictObject({
          ...{ status: z.enum(['passed', 'failed', 'none']), passed: count, total: count },
          output: z.string(),
        }),
      ]),
    ),
    approvals: z.array(
      z.strictObject({ decision: z.enum(['approved', 'feedback', 'abort']), feedback: z.string() }),
    ),
    stages: z.array(
      z.strictObject({
        ...{ id: z.string(), files: z.record(z.string(), z.string().nullable()).optional() },
        ...{ exitCode: z.int().nullable().optional(), reason: z.string().optional() },
        ...{ state: z.string().optional(), output: z.string().optional(), asks: count.optional() },
        ...{ stdout: z.string().optional(), failedAsk: z.instanceof(AgentError).optional() },
      }),
    ),
    tools: z.record(
      z.string(),
      z.union([
        z.string(),
        z.custom<Exclude<SceneTools[string], string>>((value) => typeof value === 'function', {
          error: 'must be a text or a function of the arguments',
        }),
      ]),
    ),
    seed: z.string(),
    output: z.enum(['answer', 'files']),
  } satisfies { [Field in keyof Scene]-?: z.ZodType<NonNullable<Scene[Field]>> })
  .partial()
