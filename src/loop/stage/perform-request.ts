import { z } from 'zod'
import { isWorkspacePath } from '../../sandbox/folders/paths.ts'
import type {
  StageAnswer,
  StageAsk,
  StageErrorReason,
  StageRequest,
  StageRun,
} from '../../schema/stage/protocol.ts'
import type { Files } from '../../schema/task.ts'
import { AgentError, LimitError } from '../../text/errors.ts'
import { ask } from '../ask/ask.ts'
import { formatOf } from '../ask/prompt.ts'
import { check } from '../ask/visible-checks.ts'
import { validateLabel } from '../branch/check-result.ts'
import { Interrupted, isInterrupted, isReplayingBreak } from '../branch/recorded-steps.ts'
import type { Branch, Director } from '../branch/trial-state.ts'
import { filesOf, readFile } from '../branch/workspace.ts'
import { writeLabel } from '../effects/trace-events.ts'
import { runTool } from './run-tool.ts'

/** Does what a stage with these read-only files requests, in its branch. Throws what is no answer for a stage: an interrupt, a divergence, a broken adapter. */
export async function performRequest(
  branch: Branch,
  request: StageRequest,
  programs: Files,
): Promise<StageAnswer> {
  if (isInterrupted(branch.trialState) && !isReplayingBreak(branch.trialState)) throw new Interrupted()
  try {
    if ('label' in request) {
      writeLabel(branch, request.label)
      return { reply: null }
    }
    // It stands in the step, from where the record takes it.
    if ('saving' in request) return { reply: null }
    if ('check' in request) return { reply: await check(branch, branch.state) }
    if ('read' in request) return { reply: readIn(branch, request.read) }
    if ('finish' in request) return { reply: finish(branch, request.finish) }
    if ('run' in request) return { reply: await runTool(branch, request.run, programs) }
    return { reply: await performAsk(branch, request.ask) }
  } catch (error) {
    if (error instanceof LimitError) return refusal('limit', error.message)
    if (error instanceof AgentError) {
      if (branch.stage) branch.stage.failedAsk = error
      const { reason: cause, message } = error
      return { error: { reason: 'agent', cause, message } }
    }
    throw error
  }
}

function performAsk(branch: Branch, asked: StageAsk): Promise<unknown> {
  const { role, prompt, shape, ...options } = asked
  const { director } = branch.stage ?? {}
  if (director && role !== director.role) return directRole(director, role, prompt)
  const given = shape ? { ...options, shape: z.fromJSONSchema(shape) } : options
  return ask(branch, role, prompt, given)
}

async function directRole(director: Director, role: string, brief: string): Promise<string> {
  const said = await director.perform(role, brief)
  if (said === undefined) director.finished = 'The work has ended.'
  return said ?? 'The work has ended: the method allows no more. Stop.'
}

/** Returns the text of a file, null if there is none; of an empty path the names of all files. */
const readIn = ({ state }: Branch, path: string): string | null =>
  path === '' ? Object.keys(filesOf(state)).sort().join('\n') : (readFile(state, path) ?? null)

function finish({ stage }: Branch, result: string): null {
  if (stage?.director) stage.director.finished = result
  return null
}

/** Returns the answer to a request that is not done. */
export const refusal = (reason: StageErrorReason, message: string): StageAnswer => ({
  error: { reason, message },
})

const deepest = 100

/** Returns why a request cannot be done; undefined if it can. */
export function requestProblem(
  request: StageRequest,
  {
    roles,
    programs,
    director,
  }: { roles: readonly string[]; programs: Files; director?: Director | undefined },
): string | undefined {
  try {
    if (director?.finished !== undefined) return 'the work is finished, so nothing more can be asked'
    if ('finish' in request && !director) return 'finish: only an agent that directs others ends by it'
    if ('label' in request) validateLabel(request.label)
    if ('run' in request) return runProblem(request.run, programs)
    if (!('ask' in request)) return undefined
    const { role, shape } = request.ask
    if (!roles.includes(role)) return `this stage may not ask "${role}"; it may ask ${roles.join(', ')}`
    if (!shape) return undefined
    if (isDeeper(shape, deepest)) return `the shape is nested deeper than ${deepest} levels`
    formatOf(z.fromJSONSchema(shape))
    return undefined
  } catch (error) {
    const what = 'ask' in request ? 'the shape is no JSON Schema that bench can use: ' : ''
    return `${what}${(error as Error).message}`
  }
}

function runProblem({ tools = [], files = {}, collect = [] }: StageRun, programs: Files): string | undefined {
  const missing = tools.find((path) => !Object.hasOwn(programs, path))
  if (missing !== undefined) return `run.tools: ${missing} is no file of this stage`
  const wrong = [...Object.keys(files), ...collect].find((path) => !isWorkspacePath(path))
  return wrong === undefined
    ? undefined
    : `run: ${JSON.stringify(wrong)} is no relative path with / between names`
}

const isDeeper = (value: unknown, levels: number): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (levels === 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1)))
