import { z } from 'zod'
import { command, fraction, GraderSpec, readsReply, testsIn } from './grader-spec.ts'
import { Limits } from './limits.ts'

/** The visible checks, which `workspace.check()` runs. */
export const CheckSpec = z.strictObject({
  runner: z.enum(['node-test', 'tsx', 'jest', 'vitest', 'python-doctest', 'unittest', 'command']),
  /** Files in `checks/`; default: all. */
  files: z.array(z.string()).optional(),
  /** Puts the test files beside the files of the workspace; default: in its folder `checks/`. */
  testsIn,
  command: command.optional(),
  expectTests: z.int().positive().optional(),
  timeoutMs: z.number().positive().default(20_000),
})
export type CheckSpec = z.infer<typeof CheckSpec>

/** When a trial passes: all scores are 1, any score is 1, or their mean reaches a bound. */
export const Rule = z.union([z.enum(['all', 'any']), z.strictObject({ mean: fraction })])
export type Rule = z.infer<typeof Rule>

const requirement = 'must be a program, such as python3, or a Python package, such as `python:numpy`'

/** `task.yaml`. */
export const TaskSpec = z.strictObject({
  id: z
    .string()
    .regex(/^[a-z0-9][a-z0-9._-]*$/i, 'must consist of letters, digits, dots, dashes and underscores'),
  version: z.int().positive().default(1),
  title: z.string().min(1),
  /** What the method delivers: a final text, one function in one file, or files. */
  output: z.enum(['answer', 'function', 'files']),
  language: z.enum(['javascript', 'typescript', 'python', 'text']).default('text'),
  /** The function's name, for `function`. */
  entryPoint: z.string().optional(),
  /** Globs of paths that may change; all others are restored before grading. */
  editable: z.array(z.string()).default([]),
  graders: z.array(GraderSpec).min(1),
  rule: Rule.default('all'),
  checks: CheckSpec.optional(),
  /** Runs hidden tests in the solution's process. Default: in another. Only the task can say so; such scores can be faked. */
  grading: z.literal('one-process').optional(),
  /** Required programs and Python packages (`python:numpy`), besides those of the harness. */
  requires: z
    .array(z.string().regex(/^(?!python:)[^\s:]+$|^python:[a-z0-9]([a-z0-9._-]*[a-z0-9])?$/i, requirement))
    .default([]),
  limits: Limits.default({}),
  licence: z.string().min(1).default('private'),
  source: z.string().min(1).default('private'),
  /** Words to select tasks by, such as `--tag parsing`. */
  tags: z.array(z.string().min(1)).optional(),
  properties: z
    .strictObject({
      /** 0: trivial, 1: hardest of its suite. */
      difficulty: fraction.optional(),
      /** 1: consists of independent parts. */
      decomposability: fraction.optional(),
      /** How many steps build on each other. */
      sequentialDepth: z.int().positive().optional(),
      /** How many parts can be done without each other. */
      independentParts: z.int().positive().optional(),
      /** About how many tokens of its texts a solver must read. */
      readingTokens: z.int().positive().optional(),
      /** How many requirements its texts state that can be checked each. A simulated contract names all of them. */
      requirements: z.int().positive().optional(),
      tools: z.array(z.string()).optional(),
    })
    .default({}),
  /** Tasks with the same word are alike (one repository, one template, one category), so tests count them as one unit. */
  cluster: z.string().min(1).optional(),
  /** Known issues, shown by `bench tasks NAME`. */
  knownIssues: z.array(z.string()).optional(),
  /** A line by which copies of a benchmark are found in training data. Every copy of the task keeps it; no agent sees it. */
  canary: z.string().min(1).optional(),
})
export type TaskSpec = z.infer<typeof TaskSpec>

/** Properties that are numbers: reports say how differences between methods vary with them. */
const numericProperties = [
  'decomposability',
  'sequentialDepth',
  'independentParts',
  'readingTokens',
  'difficulty',
] as const

/** Returns the stated properties of a task that are numbers; undefined if it states none. */
export function statedNumbers({
  properties,
}: Pick<TaskSpec, 'properties'>): Record<string, number> | undefined {
  const stated = numericProperties.flatMap((name) => {
    const value = properties[name]
    return value === undefined ? [] : [[name, value] as const]
  })
  return stated.length > 0 ? Object.fromEntries(stated) : undefined
}

/** Whether a task wants a text of many words: then the whole reply is the answer, not its last line. */
export const wantsText = ({ output, graders }: Pick<TaskSpec, 'output' | 'graders'>): boolean =>
  output === 'answer' && graders.some(readsReply)

/** Whether judges, which a run names, decide about a task. */
export const needsJudges = ({ graders }: Pick<TaskSpec, 'graders'>): boolean =>
  graders.some(({ kind }) => kind === 'rubric')

/** Text files by relative path. */
export type Files = Readonly<Record<string, string>>

/** What a method could hand in: files that replace those of the workspace, or the answer. */
export interface Solution {
  files?: Files
  answer?: string
}

/** A loaded task: specification, texts, and hidden parts. */
export interface Task {
  /** `suite/id`, unique in a run. */
  ref: string
  suite: string
  spec: TaskSpec
  instruction: string
  /** Initial files of the workspace. */
  files: Files
  /** Visible test files, copied into the workspace for `check()`. */
  checks: Files
  hidden: {
    /** Test files, copied into the workspace only for grading. */
    tests: Files
    /** Reference solution. */
    solution?: Solution
    /** Wrong solutions by name, which must fail. They prove the task and are no part of its digest. */
    mutants?: Readonly<Record<string, Solution>>
  }
  /** SHA-256 of all of the above but the mutants. A task with another digest is another task. */
  digest: string
  /** Path of its source, for messages. */
  origin: string
}
