import { z } from 'zod'

/** A number from 0 to 1. */
export const fraction = z.number().min(0).max(1)
/** A program and its arguments. */
export const command = z.array(z.string()).min(1)
/** Where test files are put. */
export const testsIn = z.literal('root').optional()

/** Runs test files on a copy of the workspace and counts tests. All runners but `command` detect an early exit. */
const testsGrader = z.strictObject({
  kind: z.literal('tests'),
  name: z.string().default('tests'),
  /** `node-test`: files that use node:test; `tsx`: the same, with TypeScript as tsx reads it. `jest`, `vitest`: specs of Jest or Vitest. `python-check`: a HumanEval-style `check(candidate)`. `unittest`: files that use Python's unittest. `command`: exit code and summary of a command. */
  runner: z.enum(['node-test', 'tsx', 'jest', 'vitest', 'python-check', 'unittest', 'command']),
  /** Test files in `tests/`; default: all. */
  files: z.array(z.string()).optional(),
  /** Of a runner for Node: modules to load before the test files. */
  setup: z.array(z.string()).optional(),
  /** Puts the test files beside the files of the workspace; default: in its folder `tests/`. */
  testsIn,
  /** For `command`: program and arguments. Runs in a copy of the workspace with the hidden files. */
  command: command.optional(),
  /** The number of tests that must run; missing tests count as failed. */
  expectTests: z.int().positive(),
  timeoutMs: z.number().positive().default(20_000),
  /** Names of tests that fail before the solution and must pass after it: as a `command` prints them, or for Node path and name. */
  failToPass: z.array(z.string().min(1)).optional(),
  /** Names of tests that pass before the solution and must go on to pass. */
  passToPass: z.array(z.string().min(1)).optional(),
})

/** Patterns of the final answer: the first group of the first pattern that matches, else the last line. */
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
  /** A number, or a text that gives one, such as `3/4` or `45%`. */
  answer: z.union([z.number(), z.string()]).optional(),
  tolerance: z.number().min(0).default(0),
  /** In replies a comma stands before decimals, and points may part thousands: `1.234,5`. */
  decimal: z.literal('comma').optional(),
  /** Its unit, such as `kg`: a reply may leave it out; one that names another, such as `g`, is wrong. */
  unit: z.string().regex(/\S/, 'must not be empty').optional(),
  extract,
})
const mathGrader = z.strictObject({
  kind: z.literal('math'),
  name: z.string().default('answer'),
  /** LaTeX or plain text: a number, an expression, a list, a tuple, an interval, a matrix, an equation, a word. */
  answer: z.union([z.number(), z.string()]).optional(),
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
  /** The answer must match all of these and none of `forbid`. */
  require: z.array(z.string()).min(1),
  forbid: z.array(z.string()).default([]),
  flags: z.string().default('i'),
  /** The task asks for a whole text, and the patterns are tried on it; default: on the final answer, as `exact` finds it. */
  reads: z.literal('reply').optional(),
})

const Block = z.enum(['heading', 'list', 'code', 'quote', 'rule', 'html'])
const rulesGrader = z.strictObject({
  kind: z.literal('rules'),
  name: z.string().default('answer'),
  /** The fewest and the most words of the text. */
  words: z.strictObject({ min: z.int().positive(), max: z.int().positive() }),
  /** Blocks of Markdown that the text must not have. */
  forbid: z.array(Block).default([]),
  /** Facts that the text must state, each with its accepted spellings. */
  facts: z.array(z.array(z.string().regex(/\S/, 'must not be empty')).min(1)).default([]),
})
/** A block of Markdown that a grader of kind `rules` can forbid. */
export type Block = z.infer<typeof Block>

const moduleGrader = z.strictObject({
  kind: z.literal('module'),
  name: z.string().default('module'),
  /** The file in `tests/` that has the function `grade`: `.js`, `.mjs`, `.ts`, `.mts` or `.py`. */
  file: z.string().regex(/\.(m?[jt]s|py)$/, 'must end in .js, .mjs, .ts, .mts or .py'),
  /** Of a task with `output: answer`: whether the function gets the whole reply, or the answer in its last line. */
  reads: z.enum(['reply', 'last-line']).default('reply'),
  timeoutMs: z.number().positive().default(20_000),
})

/** What a judge says of one criterion, and the score that it stands for. `compare`: of the answer and the reference, the better one. */
export const RubricScale = z.enum(['yes-no', '1-5', '0-1', 'compare'])
export type RubricScale = z.infer<typeof RubricScale>

const Criterion = z.strictObject({
  name: z.string().regex(/^[a-z][a-z0-9_-]{0,39}$/i, 'must be one word that begins with a letter'),
  text: z.string().regex(/\S/, 'must not be empty'),
  weight: z.number().positive().default(1),
})
const rubricGrader = z.strictObject({
  kind: z.literal('rubric'),
  name: z.string().default('rubric'),
  criteria: z.array(Criterion).min(1),
  scale: RubricScale.default('yes-no'),
  /** A good answer, which judges are shown; default: the reference solution. */
  answer: z.string().optional(),
  reference: z.enum(['shown', 'hidden']).default('shown'),
  /** Verdicts of each judge. Every second one has the criteria, and with `compare` the texts, in the other order. */
  votes: z.int().min(1).max(9).default(2),
})

/** A grader of one aspect. Its answers and tests are hidden: they are never in a workspace, a prompt or a method's step. */
export const GraderSpec = z.discriminatedUnion('kind', [
  testsGrader,
  exactGrader,
  numericGrader,
  mathGrader,
  choiceGrader,
  patternGrader,
  rulesGrader,
  moduleGrader,
  rubricGrader,
])
export type GraderSpec = z.infer<typeof GraderSpec>
/** The kinds of graders, as written in `task.yaml`. */
export type GraderKind = GraderSpec['kind']

/** Whether a grader judges the whole reply. */
export const readsReply = (grader: GraderSpec): boolean =>
  grader.kind === 'rules' ||
  grader.kind === 'rubric' ||
  ((grader.kind === 'module' || grader.kind === 'pattern') && grader.reads === 'reply')
