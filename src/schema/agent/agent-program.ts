import { z } from 'zod'
import { VariableName } from '../variable-name.ts'

/** The format in which a program asks its models: Anthropic Messages, OpenAI Responses, Chat Completions, Gemini. */
export const Wire = z.enum(['messages', 'responses', 'chat', 'gemini'])
export type Wire = z.infer<typeof Wire>

/** One segment of a path: a field, an item (negative: from the end), all items, or items with a field of a given value. */
export const pathSegment =
  /\.([A-Za-z_]\w*)|\['([^']*)'\]|\[(-?\d+)\]|(\.\*|\[\*\])|\[\?@((?:\.[A-Za-z_]\w*)+) *== *('[^']*'|true|false|null|-?\d+)\]/

/** A path in JSON: the subset of JSONPath (RFC 9535) with fields, items and filters by equality. */
const JsonPath = z
  .string()
  .regex(
    new RegExp(`^\\$(?:${pathSegment.source})*$`),
    "must be a path like $.result, $[-1].usage or $[?@.type == 'text'].part.text",
  )

/** A number: the sum of all matches of the path, or the last match. */
const Count = z.union([JsonPath, z.strictObject({ last: JsonPath })])

/** Counts that are added up. The first is required in the output; the others default to 0. */
const Counts = z.union([Count, z.array(Count).min(1)])
export type Counts = z.infer<typeof Counts>

const Word = z.string().refine((text) => unknownWord(text) === undefined, {
  error: ({ input }) =>
    `"${unknownWord(String(input))}" is not a placeholder; use one of ${words.join(', ')}`,
})
const words = ['{model}', '{baseUrl}', '{session}']
const unknownWord = (text: string) => text.match(/\{[A-Za-z]\w*\}/g)?.find((word) => !words.includes(word))

const CommandLine = z.array(Word).min(1)

/** A user's agent CLI: how it is called, and where its output contains the answer. */
export const AgentProgram = z
  .strictObject({
    command: CommandLine.describe(
      'Program and arguments, without a shell. The prompt is sent on standard input. {model} and {baseUrl} are replaced by those of the agent.',
    ),
    resume: CommandLine.optional().describe(
      'Command that continues a session; {session} is replaced by its id. Absent: each call gets the whole conversation.',
    ),
    env: z.record(z.string(), Word).optional().describe('Environment of a call, besides HOME and PATH.'),
    keyInside: VariableName.optional().describe(
      'Variable from which the program reads its key. It contains a stand-in.',
    ),
    wires: z
      .array(Wire)
      .min(1)
      .optional()
      .describe('The formats in which it asks its models: messages, responses, chat, gemini. Default: all.'),
    models: z
      .array(z.string().min(1))
      .min(1)
      .optional()
      .describe('Models that it may ask beside that of the agent. A request for any other is refused.'),
    home: z
      .record(
        z.string().regex(/^(?!\/)(?!(?:.*\/)?\.\.(?:\/|$))/, 'must be a relative path inside HOME'),
        z.string(),
      )
      .optional()
      .describe('Files in its HOME: text by path.'),
    output: z
      .enum(['json', 'json-lines', 'text'])
      .optional()
      .describe(
        'Its output: one JSON value (default), one per line (paths apply to their list), or only the answer.',
      ),
    text: z
      .union([JsonPath, z.strictObject({ all: JsonPath })])
      .optional()
      .describe('The answer: the last match of the path, or all matches.'),
    session: JsonPath.optional().describe('The id of its session.'),
    error: JsonPath.optional().describe(
      'Present if the call failed, whatever the exit code: a text, an object, or true.',
    ),
    status: JsonPath.optional().describe('The HTTP status of a failure.'),
    tokens: z
      .strictObject({
        input: Counts,
        output: Counts,
        cached: Counts.optional(),
        cacheWrite: Counts.optional(),
        reasoning: Counts.optional(),
      })
      .optional()
      .describe('Input includes cache reads and writes, output includes reasoning.'),
    cost: Counts.optional().describe('US dollars, as reported by the program.'),
    usage: JsonPath.optional().describe('Its usage object, which is kept in the ledger.'),
    totals: z
      .array(z.enum(['tokens', 'cost']))
      .optional()
      .describe('Values that it reports for the whole session instead of one call.'),
    window: z
      .int()
      .positive()
      .optional()
      .describe(
        'Context window in tokens; a longer prompt is not sent. Estimated as 4 characters per token.',
      ),
  })
  .superRefine(({ command, resume, output, text, session }, context) => {
    const wrong = (field: string, message: string) =>
      context.addIssue({ code: 'custom', path: [field], message })
    // Whether it is missing depends on the provider.
    if (output === 'text' && text !== undefined) wrong('text', 'conflicts with `output: text`; remove it')
    if (command.some((word) => word.includes('{session}')))
      wrong('command', 'must not contain {session}, which is known only in resume')
    if (!resume) return
    if (!resume.some((word) => word.includes('{session}'))) wrong('resume', 'must contain {session}')
    if (resume[0] !== command[0]) wrong('resume', 'must start the same program as command')
    if (session === undefined) wrong('session', 'is missing: resume needs the path of the session id')
  })
export type AgentProgram = z.infer<typeof AgentProgram>
