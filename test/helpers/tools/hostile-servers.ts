import type { ToolOutcome } from '../../../src/schema/tool/tool-call.ts'
import type { ResolvedMcpTool } from '../../../src/schema/tool/tool-set.ts'
import { running } from '../machine/sandboxes.ts'
import { mcpTool } from './mcp-tools.ts'

/** The last argument of the servers of this process: another checkout of this machine may run the same tests. */
const mark = `hostile-of-${process.pid}`

/** Returns the number of this process's hostile servers that run, and of their children. */
export const runningHostile = () => running(mark)

/** The configuration of a hostile server. */
export const hostileTool = (name: string) =>
  mcpTool({ command: ['node', 'hostile.mjs', name, mark], files: ['hostile.mjs'], allow: ['go'] })

/** A hostile server as a run that began with it knows it: no call waits longer than a second, no answer is longer than 200 KB. */
export const knownHostile = (name: string, change: Partial<ResolvedMcpTool> = {}): ResolvedMcpTool => ({
  kind: 'mcp',
  command: ['node', 'hostile.mjs', name, mark],
  files: [{ path: 'hostile.mjs', digest: '' }],
  env: {},
  workspace: false,
  stateless: false,
  timeoutMs: 1000,
  maxBytes: 200_000,
  server: { name: 'hostile', version: '1' },
  definitions: [
    { name: 'hostile__go', description: 'Does it.', inputSchema: { type: 'object' }, original: 'go' },
  ],
  ...change,
})

type Expected = readonly [ToolOutcome, string | RegExp]

const went: Expected = ['ok', 'went']
const endedLate: Expected = ['timeout', /did not answer a call within 1000 ms/]
const lostLate: Expected = ['broken', /cannot be called: its server was ended, since it did not answer/]

/** What a hostile server's first two calls give. */
export const hostileCalls: readonly (readonly [name: string, first: Expected, second: Expected])[] = [
  ['banner', went, went],
  ['banner-without-line-end', went, went],
  ['ignores-signals', went, went],
  ['leaves-children', went, went],
  ['text-ids', went, went],
  ['crlf', went, went],
  ['byte-order-mark', went, went],
  ['null-error', went, went],
  ['batch', went, went],
  ['in-pieces', went, went],
  ['answers-twice', went, went],
  ['answers-before', went, went],
  ['first-protocol', went, went],
  ['no-capabilities', went, went],
  ['same-cursor', went, went],
  ['empty-cursor', went, went],
  ['empty-cursor-for-ever', went, went],
  ['new-cursors-for-ever', went, went],
  ['hangs', endedLate, lostLate],
  ['loops', endedLate, lostLate],
  ['wrong-id', endedLate, lostLate],
  ['progress-for-ever', endedLate, lostLate],
  ['stops-the-bridge', endedLate, lostLate],
  ['kills-the-bridge', ['broken', /the server was ended by SIGKILL/], ['broken', /was ended by SIGKILL/]],
  ['exits-with-children', ['broken', /ended with exit code 5/], ['broken', /exit code 5/]],
  [
    'null-id',
    ['failed', /refused the call of hostile__go: cannot read that/],
    ['failed', /cannot read that/],
  ],
  ['exits-in-call', ['broken', /ended with exit code 7/], ['broken', /its server ended with exit code 7/]],
  ['exits-after-call', ['ok', 'last words'], ['broken', /ended with exit code 0/]],
  ['large-answer', ['too-large', /more than 200000 bytes/], ['ok', 'small']],
  ['endless-line', ['too-large', /more than 200000 bytes/], ['broken', /sent more than \d+ bytes/]],
  ['endless-notes', ['broken', /sent more than \d+ messages/], ['broken', /sent more than/]],
  ['endless-requests', ['broken', /sent more than 500 requests of its own/], ['broken', /sent more than/]],
  ['deep-answer', ['broken', /something that is no tool result/], ['broken', /no tool result/]],
  ['stderr-in-call', ['broken', /printed more than 4 MiB/], ['broken', /printed more than 4 MiB/]],
  ['logs-between', ['ok', 'done'], ['ok', 'done']],
  ['refuses', ['failed', /refused the call of hostile__go: .*internal/], ['failed', /internal/]],
  [
    'refuses-arguments',
    ['invalid', /refused the arguments of hostile__go: .*a is missing/],
    ['invalid', /a is/],
  ],
  ['no-content', ['ok', '[The tool gave no content.]'], ['ok', /no content/]],
  ['text-as-result', ['broken', /no tool result/], ['broken', /no tool result/]],
  ['text-as-content', ['broken', /no tool result/], ['broken', /no tool result/]],
  ['odd-content', ['ok', /content of the type unknown: not shown.*\n.*\n.*type x/], ['ok', /not shown/]],
  ['error-of-text', ['failed', /refused the call of hostile__go: "no luck"/], ['failed', /no luck/]],
  ['wants-input', ['ok', '[The tool gave no content.]'], ['ok', /no content/]],
  [
    'media',
    [
      'ok',
      '[image, image/png, 3 bytes: not shown]\n[audio, audio/wav, 2 bytes: not shown]\n[resource note://1]\na note\n[resource note://2, x/y, 1 bytes: not shown]\n[resource note://3: third]',
    ],
    ['ok', /not shown/],
  ],
  ['structured', ['ok', '{"sum":3}'], ['ok', '{"sum":3}']],
  ['surrogate', ['ok', 'a\ufffdb'], ['ok', 'a\ufffdb']],
  ['long-text', ['ok', /^y{60000}\n\[Cut: the result has 150000 characters/], ['ok', /Cut/]],
  ['asks', ['ok', /^(-32601 ){4}ok$/], ['ok', /ok/]],
  ['takes-the-socket', ['ok', 'tried'], ['ok', 'tried']],
]

/** What is wrong with a hostile server before a run. */
export const hostileStarts: readonly (readonly [name: string, problem: RegExp])[] = [
  [
    'exit-at-once',
    /ended with exit code 3\. Its stderr ends with:\nfirst line\nno database at \/workspace\/server/,
  ],
  ['kills-itself', /was ended by SIGKILL/],
  ['closes-output', /closed its output/],
  ['old-protocol', /speaks the protocol version 2023-01-01, which bench does not/],
  ['floods-at-start', /sent (a line of more|more) than \d+ bytes/],
  ['lines-at-start', /sent more than \d+ messages/],
  ['errors-at-start', /printed more than 4 MiB|ended/],
  ['content-length', /did not answer initialize; it writes Content-Length headers, where MCP over stdio has/],
  ['no-schema', /the tool "go" has no schema of its arguments/],
  ['schema-of-text', /the tool "go" has a schema of arguments whose type is not object/],
  ['long-schema', /the tool "go" has a schema of \d+ characters; at most 65536 are taken/],
  ['same-names', /the tool "go" is listed more than once, with other words/],
  ['no-tools', /the server has no tool "go"\. It has none\./],
]

/** What is wrong with a server that never answers: each takes as long as it may. */
export const hangingStarts: typeof hostileStarts = [
  ['silent', /did not answer initialize within 3000 ms/],
  ['hangs-at-list', /did not answer tools\/list within 3000 ms/],
  ['id-always-0', /did not answer tools\/list within 3000 ms/],
]

/** Servers that say less of themselves than most, and the name and version that a run records. */
export const barelyNamed: readonly (readonly [name: string, server: string, version: string])[] = [
  ['nameless', 'unknown', 'unknown'],
  ['no-version', 'hostile', 'unknown'],
  ['nameless-tools', 'hostile', '1'],
]
