import { z } from 'zod'
import { Limits } from './limits.ts'

const fraction = z.number().min(0).max(1)
const command = z.array(z.string()).min(1)

/** Runs files of the task on a copy of the workspace and counts tests; `node-test` and `python-check` guard against early exit. */
const testsGrader = z.strictObject({
  kind: z.literal('tests'),
  name: z.string().default('tests'),
  /** `node-test`: files that use node:test. `python-check`: a HumanEval-style `check(candidate)`. `command`: by exit code and report. */
  runner: z.enum(['node-test', 'python-check', 'command']),
  /** Test files inside `tests/`, all of them by default. */
  files: z.array(z.string()).optional(),
  /** For `command`: program and arguments, run in the workspace's copy, with the hidden files copied in. */
  command: command.optional(),
  /** How many tests must have run; fewer is a failure. */
  expectTests: z.int().positive(),
  timeoutMs: z.number().positive().default(20_000),
})

/** How the final answer is found in a reply: the first pattern that matches wins (its first group), else the last line. */
const extract = z.array(z.string()).optional()

const exactGrader = z.strictObject({
  kind: z.literal('exact'),
  name: z.string().default('answer'),
  answer: z.string().optional(),
  extract,
  ignoreCase: z.boolean().default(true),
})
const numericGrader = z.strictObject({
  kind: z.literal('numeric'),
  name: z.string().default('answer'),
  answer: z.number().optional(),
  tolerance: z.number().min(0).default(0),
  extract,
})
const choiceGrader = z.strictObject({
  kind: z.literal('choice'),
  name: z.string().default('answer'),
  answer: z.string().optional(),
  options: z.array(z.string()).min(2),
  extract,
})
const patternGrader = z.strictObject({
  kind: z.literal('pattern'),
  name: z.string().default('answer'),
  /** The answer must match all, and none of `forbid`. */
  require: z.array(z.string()).min(1),
  forbid: z.array(z.string()).default([]),
  flags: z.string().default('i'),
})

/** One aspect's judge. Answers and tests are hidden: they never reach a workspace, a prompt or a method's step. */
export const GraderSpec = z.discriminatedUnion('kind', [
  testsGrader,
  exactGrader,
  numericGrader,
  choiceGrader,
  patternGrader,
])
export type GraderSpec = z.infer<typeof GraderSpec>
/** The kinds of graders, as written in `task.yaml`. */
export type GraderKind = GraderSpec['kind']

/** Visible checks: what `workspace.check()` runs. */
export const CheckSpec = z.strictObject({
  runner: z.enum(['node-test', 'python-doctest', 'command']),
  /** Files inside `checks/`, all of them by default. */
  files: z.array(z.string()).optional(),
  command: command.optional(),
  expectTests: z.int().positive().optional(),
  timeoutMs: z.number().positive().default(20_000),
})
export type CheckSpec = z.infer<typeof CheckSpec>

/** When a trial counts as passed: every score is 1, any is, or their mean reaches a share. */
export const Rule = z.union([z.enum(['all', 'any']), z.strictObject({ mean: fraction })])
export type Rule = z.infer<typeof Rule>

const requirement = 'is neither a program, such as python3, nor a package of Python’s, such as `python:numpy`'

/** `task.yaml`. */
export const TaskSpec = z.strictObject({
  id: z.string().regex(/^[a-z0-9][a-z0-9._-]*$/i, 'letters, digits, dots, dashes and underscores only'),
  version: z.int().positive(),
  title: z.string().min(1),
  /** What the method leaves behind: a final text, one function in one file, or files. */
  output: z.enum(['answer', 'function', 'files']),
  language: z.enum(['javascript', 'typescript', 'python', 'text']).default('text'),
  /** For `function`: its name. */
  entryPoint: z.string().optional(),
  /** Paths (globs) that may change; all others are put back before grading. */
  editable: z.array(z.string()).default([]),
  graders: z.array(GraderSpec).min(1),
  rule: Rule.default('all'),
  checks: CheckSpec.optional(),
  /** Programs, and packages of Python's (`python:numpy`), that it needs beside the harness's own. */
  requires: z
    .array(z.string().regex(/^(?!python:)[^\s:]+$|^python:[a-z0-9]([a-z0-9._-]*[a-z0-9])?$/i, requirement))
    .default([]),
  limits: Limits.default({}),
  licence: z.string().min(1),
  source: z.string().min(1),
  properties: z.strictObject({
    /** 0 trivial, 1 hardest of its suite. */
    difficulty: fraction.optional(),
    /** 1: falls into independent parts. */
    decomposability: fraction.optional(),
    /** How many steps build on each other. */
    sequentialDepth: z.int().positive().optional(),
    tools: z.array(z.string()).optional(),
  }),
  /** Known trouble, shown by `bench tasks NAME`. */
  knownIssues: z.array(z.string()).optional(),
})
export type TaskSpec = z.infer<typeof TaskSpec>

/** Text files by relative path. */
export type Files = Readonly<Record<string, string>>

/** A task as loaded: specification, texts, and what stays hidden. */
export interface Task {
  /** `suite/id`, unique in a run. */
  ref: string
  suite: string
  spec: TaskSpec
  instruction: string
  /** What the workspace begins with. */
  files: Files
  /** Visible test files, copied beside the workspace's for `check()`. */
  checks: Files
  hidden: {
    /** Test files, copied in for grading only. */
    tests: Files
    /** Reference solution: files over the workspace's, or the answer. */
    solution?: { files?: Files; answer?: string }
  }
  /** SHA-256 over all of the above: another digest is another task. */
  digest: string
  /** Where it was read from, for messages. */
  origin: string
}
