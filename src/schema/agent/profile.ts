import { z } from 'zod'
import { agentErrorReasons } from '../../text/errors.ts'
import { workspaceTools } from '../tool/tool.ts'

const fraction = z.number().min(0).max(1)
const size = z.number().min(0)

/** US dollars per million tokens. */
const Price = z.strictObject({ input: size, output: size, cached: size })

const byWork = <Value extends z.ZodType>(value: Value) =>
  z.strictObject({ produce: value, judge: value, summarise: value, decide: value })

/** Kinds of tools: those of the workspace and of the memory by name, and `mcp` for each function of a server. */
const toolKinds = [...workspaceTools, 'memory_store', 'memory_recall', 'mcp'] as const

/** The kind of a tool, or the name by which models call the function of a server. */
const toolName = z
  .string()
  .refine((name) => name.includes('__') || (toolKinds as readonly string[]).includes(name), {
    error: `is no tool. Write ${toolKinds.join(', ')}, or ID__NAME for one function of a server`,
  })

/** The ways in which a simulated call fails. `unparsable` results from `malformed`, no agent makes a limit or counts turns, and only recorded replies can be missing. */
const failure = z.enum(agentErrorReasons).exclude(['unparsable', 'limit', 'tools', 'missing'])

/**
 * How simulated agents behave: one file of `fixtures/profiles/`. Skills, difficulty, interaction and effects add up on
 * the logit scale: p(right) = 1 / (1 + exp(-sum)).
 */
export const Profile = z.strictObject({
  id: z
    .string()
    .regex(/^[a-z0-9][a-z0-9.-]*$/, 'must consist of lower-case letters, digits, dots and dashes'),
  version: z.int().positive(),
  description: z.string().min(1),
  /**
   * Skill by kind of work, in logits. produce: right submissions. judge: lowers both error rates (0: no change).
   * summarise: share of facts kept. decide: share of asks routed by the rule.
   */
  skills: byWork(z.number()),
  difficulty: z.strictObject({
    /** Logits that a task of difficulty 1 costs. */
    weight: z.number(),
    /** Difficulty of a task that states none. */
    default: fraction,
  }),
  /** Standard deviation of the interaction of method and task, in logits. */
  interaction: size.default(0),
  /** Planted effects in logits, by method label or strategy name; the label wins. */
  effects: z.record(z.string(), z.number()).default({}),
  feedback: z.strictObject({
    /** Logits for each round in which a judge replied after a submission. */
    gain: z.number(),
    /** Further rounds do not help. */
    maxRounds: z.int().min(0),
  }),
  /** Probability that a right submission becomes wrong when its producer is asked again. */
  regression: fraction,
  context: z.strictObject({
    /** Prompt tokens without a loss. */
    threshold: size,
    /** Logits lost for each 1,000 tokens above it. */
    lossPerThousand: z.number(),
    /** A longer prompt fails with `context-overflow`. */
    limit: size.optional(),
  }),
  /** Correlation of all calls of one kind of work on one task and epoch, over all roles. */
  correlation: fraction,
  verdicts: z.strictObject({
    falseAccept: fraction,
    falseReject: fraction,
    /** Standard deviation of numeric scores; never changes a verdict. */
    noise: size,
  }),
  /** Share of JSON replies that do not parse; for repairs a quarter of it. */
  malformed: fraction,
  /** Share of wrong submissions that pass the visible checks, on tasks that have such mutants. */
  visiblePass: fraction,
  /** Share of calls that fail, by reason. */
  failures: z
    .partialRecord(failure, fraction)
    .default({})
    .refine(
      (rates) => Object.values(rates).reduce((sum, rate) => sum + rate, 0) <= 1,
      'must add up to at most 1',
    ),
  /** Output tokens, reasoning included: log-normal with this median and this standard deviation of the logarithm. */
  output: byWork(z.strictObject({ median: size, spread: size })),
  /** Share of the output that is reasoning, which is not part of the reply's text. */
  reasoningShare: fraction,
  price: Price,
  latency: z.strictObject({
    baseMs: size,
    msPerToken: size,
    /** Standard deviation of the logarithm. */
    spread: size,
  }),
  /** Virtual time of one run of the visible checks; ms. */
  checkMs: size,
  /** How agents use tools, in asks that have some. Absent: they call none. */
  tools: z
    .strictObject({
      /** Mean number of turns with calls before the answer. */
      turns: size,
      /** Share of these turns with two or three calls. */
      parallel: fraction,
      /** Share of calls that go wrong: an unknown tool, other arguments than the tool takes, or a path outside of the workspace. */
      wrong: fraction,
      /** Logits for each tool that the ask has used with success, by kind or name; the name wins. A recall that finds nothing gives nothing, nor does a check of a task without checks. */
      gain: z.record(toolName, z.number()).default({}),
    })
    .optional(),
  /** Other models, for the agents `simulated:NAME`: what they change of this profile. Absent: there is one model. */
  models: z
    .record(
      z
        .string()
        .regex(/^[a-z0-9][a-z0-9.-]*$/, 'must be named by lower-case letters, digits, dots and dashes'),
      z.strictObject({ skills: byWork(z.number()).partial().optional(), price: Price.optional() }),
    )
    .optional(),
  /**
   * Tokens of roles of a known workload. A missing value is measured (input) or drawn (output). A role that is not listed is
   * treated like that, and reported once.
   */
  roles: z.record(z.string(), z.strictObject({ input: size.optional(), output: size.optional() })).optional(),
  /**
   * Deterministic verdicts. Every judge except the last listed one approves after `producesPerRound` submissions of a round (a round
   * ends when the last judge replies); the last one approves after `producesPerRound * rounds[(epoch - 1) % n]`.
   */
  script: z
    .strictObject({ producesPerRound: z.int().positive(), rounds: z.array(z.int().positive()).min(1) })
    .optional(),
})
export type Profile = z.infer<typeof Profile>
