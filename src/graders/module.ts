import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { packageRoot } from '../base/package-root.ts'
import { extractAnswer } from '../replies/answers/read-answer.ts'
import type { SandboxCommand, SandboxResult } from '../sandbox/sandbox.ts'
import { findTool } from '../sandbox/tools/tools.ts'
import type { Score } from '../schema/ledger/outcome.ts'
import type { Files } from '../schema/task.ts'
import { InfrastructureError } from '../text/errors.ts'
import { cutMiddle } from '../text/shorten.ts'
import { normalise } from './expected.ts'
import { emptyAnswerScore, type Grader, type GraderContext } from './grader.ts'
import { withPackages } from './test-run/run-tests.ts'
import { isTypeScript, stripTypes } from './test-run/strip-types.ts'
import { harnessFolder } from './test-run/test-job.ts'

/**
 * Grades with a function of the task's own, which gets what was handed in as data. A function that throws, returns no score from 0 to 1,
 * or ends its process is the task's fault: it throws `InfrastructureError`, and the method gets no 0 for it.
 */
export const module: Grader<'module'> = async (context) => {
  const { spec, task, undelivered } = context
  const answer = answerOf(context)
  if (task.spec.output === 'answer' && !answer?.trim()) return emptyAnswerScore(spec.name)
  const end = await runModule(context, answer)
  if (!('returned' in end)) throw fault(context, end.problem)
  const read = readReturned(end.returned)
  if ('problem' in read) throw fault(context, read.problem)
  const reason = [undelivered, normalise(read.reason)].filter(Boolean).join('; ')
  return { name: spec.name, value: read.value, reason: cutMiddle(reason) } satisfies Score
}

function answerOf({ spec, task, answer }: GraderContext<'module'>): string | undefined {
  if (task.spec.output !== 'answer' || spec.reads === 'reply') return answer
  return extractAnswer(answer, undefined)
}

const fault = ({ spec, task }: GraderContext<'module'>, problem: string) =>
  new InfrastructureError(
    `${task.ref}: the grader ${spec.name} (tests/${spec.file}) ${cutMiddle(normalise(problem))}`,
  )

/** What a module's function may return, as JSON. */
const Returned = z.union([
  z.number(),
  z.boolean(),
  z.looseObject({ score: z.union([z.number(), z.boolean()]), reason: z.string().optional() }),
])

/** Reads the score and the reason that a function returned as JSON. A boolean is 1 or 0. Returns what is wrong with it otherwise. */
export function readReturned(json: string): { value: number; reason: string } | { problem: string } {
  const returned = parse(json)
  const { data } = Returned.safeParse(returned)
  if (data === undefined)
    return {
      problem: `returned ${shown(json)}, which is no score: return { score, reason }, a number or a boolean`,
    }
  const { score, reason = '' } = typeof data === 'object' ? data : { score: data }
  const value = Number(score)
  if (!(value >= 0 && value <= 1)) return { problem: `returned the score ${value}, which is not from 0 to 1` }
  return { value, reason: reason.trim() === '' ? `the score is ${value}` : reason }
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}

const shown = (json: string) => (json.length > 200 ? `${json.slice(0, 200)}…` : json)

type ModuleEnd = { returned: string } | { problem: string }

/**
 * Runs the function of a module in a process of its own, with the files of `tests/` beside it. Files and answer go there as data on the
 * standard input. Throws `InfrastructureError` if the process cannot start.
 */
async function runModule(context: GraderContext<'module'>, answer: string | undefined): Promise<ModuleEnd> {
  const { spec, task, files, signal } = context
  const tests = await moduleFiles(task.hidden.tests)
  if ('problem' in tests) return tests
  const token = randomUUID()
  const job = {
    token,
    file: `tests/${spec.file}`,
    typescript: Object.keys(task.hidden.tests).some(isTypeScript),
    answer: answer ?? null,
    files,
    task: {
      ref: task.ref,
      title: task.spec.title,
      instruction: task.instruction,
      files: task.files,
      solution: task.hidden.solution ?? null,
    },
  }
  const command: SandboxCommand = {
    ...(spec.file.endsWith('.py') ? await python(tests.files) : node(tests.files)),
    stdin: JSON.stringify(job),
    standalone: true,
    timeoutMs: spec.timeoutMs,
    signal,
  }
  const run = withPackages(context.run, task.spec.requires)
  return endOf(context, await run(command), token)
}

async function moduleFiles(tests: Files): Promise<{ files: Files } | { problem: string }> {
  const files: Record<string, string> = {}
  for (const [path, text] of Object.entries(tests)) {
    const stripped = isTypeScript(path) ? await stripTypes(text, path, 'stripped') : { code: text }
    if ('error' in stripped)
      return { problem: `needs tests/${path}, which cannot run here: ${stripped.error}` }
    files[`tests/${path}`] = stripped.code
  }
  return { files }
}

const programs = (...paths: readonly string[]): Files =>
  Object.fromEntries(
    paths.map((path) => [
      `${harnessFolder}/${path}`,
      readFileSync(join(packageRoot(), 'src/graders/harness', path), 'utf8'),
    ]),
  )

const node = (tests: Files): Pick<SandboxCommand, 'files' | 'command'> => ({
  files: {
    // Node 20 reads a file `.js` as CommonJS, unless this says otherwise.
    'tests/package.json': '{"type":"module"}',
    ...tests,
    ...programs('module/grade.mjs', 'node/loaders.mjs'),
  },
  command: [process.execPath, '--no-warnings', `${harnessFolder}/module/grade.mjs`],
})

async function python(tests: Files): Promise<Pick<SandboxCommand, 'files' | 'command'>> {
  const tool = await findTool('python3')
  if (!tool.found) throw new InfrastructureError(`python3 was not found. ${tool.remedy}`)
  return {
    files: { ...tests, ...programs('module/grade.py') },
    command: [tool.path, '-S', '-s', '-B', `${harnessFolder}/module/grade.py`],
  }
}

interface Message {
  ready?: true
  returned?: string
  threw?: string
  lacks?: string
  waits?: true
}

function endOf({ task, spec }: GraderContext<'module'>, result: SandboxResult, token: string): ModuleEnd {
  const messages = messagesIn(result.stderr, token)
  if (messages.length === 0 && !result.truncated && !result.reason)
    throw new InfrastructureError(
      `${task.ref}: the process of the grader ${spec.name} did not start: ${result.stderr.trim().slice(0, 500) || `exit code ${result.exitCode}`}`,
    )
  const last = messages.findLast(({ ready }) => !ready)
  if (last?.returned !== undefined) return { returned: last.returned }
  if (last?.threw !== undefined) return { problem: `threw ${last.threw}` }
  if (last?.lacks !== undefined) return { problem: 'has no function `grade`' }
  if (last?.waits) return { problem: 'returned a promise that nothing settles' }
  if (result.reason) return { problem: `gave no score: ${result.reason}` }
  const how = result.killedBy ? `was killed by ${result.killedBy}` : `ended with exit code ${result.exitCode}`
  return { problem: `${how} before it gave a score` }
}

function messagesIn(output: string, token: string): Message[] {
  const lines = output.split('\n').filter((line) => line.startsWith(`${token} `))
  return lines.map((line) => JSON.parse(line.slice(token.length + 1)) as Message)
}
