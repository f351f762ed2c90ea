import { z } from 'zod'
import { VariableName } from '../variable-name.ts'

/** One segment of a path: a field, an item (from the end where negative), all of them, or those of which a field equals a value. */
export const pathSegment =
  /\.([A-Za-z_]\w*)|\['([^']*)'\]|\[(-?\d+)\]|(\.\*|\[\*\])|\[\?@((?:\.[A-Za-z_]\w*)+) *== *('[^']*'|true|false|null|-?\d+)\]/

/** Where something stands in JSON: the part of JSONPath (RFC 9535) that finds fields, items and events by what they hold. */
export const JsonPath = z
  .string()
  .regex(
    new RegExp(`^\\$(?:${pathSegment.source})*$`),
    "is not a path like $.result, $[-1].usage or $[?@.type == 'text'].part.text",
  )

/** A number: the sum of all that the path finds, or the last of them. */
const Count = z.union([JsonPath, z.strictObject({ last: JsonPath })])

/** Counts that are added up: the first must be told, each further one counts as 0 where it is not. */
const Counts = z.union([Count, z.array(Count).min(1)])
export type Counts = z.infer<typeof Counts>

const Word = z.string().refine((text) => unknownWord(text) === undefined, {
  error: ({ input }) => `"${unknownWord(String(input))}" stands for nothing; there are ${words.join(', ')}`,
})
const words = ['{model}', '{baseUrl}', '{session}']
const unknownWord = (text: string) => text.match(/\{[A-Za-z]\w*\}/g)?.find((word) => !words.includes(word))

const CommandLine = z.array(Word).min(1)

/** An agent CLI of the user's own: how it is called, and where in what it prints the answer stands. */
export const AgentProgram = z
  .strictObject({
    command: CommandLine.describe(
      'Program and arguments, never a shell; the prompt comes on standard input. {model} and {baseUrl} stand for those of the agent.',
    ),
    resume: CommandLine.optional().describe(
      'The same to go on with a session, whose id {session} stands for. Absent: each call is told the whole session.',
    ),
    env: z.record(z.string(), Word).optional().describe('Environment of a call, beside HOME and PATH.'),
    keyInside: VariableName.optional().describe(
      'Variable in which the program looks for its key; it finds a stand-in there.',
    ),
    home: z
      .record(z.string().regex(/^(?!\/)(?!(?:.*\/)?\.\.(?:\/|$))/, 'is not a path inside HOME'), z.string())
      .optional()
      .describe('Files that stand in its HOME: their text by their path.'),
    output: z
      .enum(['json', 'json-lines', 'text'])
      .optional()
      .describe(
        'What it prints: one JSON value (the default), one a line (paths see their list), or the answer alone.',
      ),
    text: z
      .union([JsonPath, z.strictObject({ all: JsonPath })])
      .optional()
      .describe('The answer: the last text that the path finds, or all of them.'),
    session: JsonPath.optional().describe('Its own id of the session.'),
    error: JsonPath.optional().describe(
      'What is there when it failed, whatever the exit code: a text, an object, or true.',
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
      .describe('Input with what was read from a cache and written into one, output with reasoning.'),
    cost: Counts.optional().describe('US dollars, as the program says.'),
    usage: JsonPath.optional().describe('Its usage object, which the ledger keeps.'),
    totals: z
      .array(z.enum(['tokens', 'cost']))
      .optional()
      .describe('What it tells of the whole session, and not of the one call.'),
    window: z
      .int()
      .positive()
      .optional()
      .describe('Tokens that the model takes; a longer prompt is not sent. Estimated, 4 characters a token.'),
  })
  .superRefine(({ command, resume, output, text, session }, context) => {
    const wrong = (field: string, message: string) =>
      context.addIssue({ code: 'custom', path: [field], message })
    if (output === 'text' ? text !== undefined : text === undefined)
      wrong(
        'text',
        output === 'text' ? 'is all that it prints: leave it out' : 'is missing: where the answer stands',
      )
    if (command.some((word) => word.includes('{session}')))
      wrong('command', 'begins a session, so that {session} is not known yet: that is for resume')
    if (!resume) return
    if (!resume.some((word) => word.includes('{session}'))) wrong('resume', 'names no {session}')
    if (resume[0] !== command[0]) wrong('resume', 'is not of the same program as command')
    if (session === undefined) wrong('session', 'is missing: resume needs to know where the id stands')
  })
export type AgentProgram = z.infer<typeof AgentProgram>
