import { z } from 'zod'
import { seededRandom } from '../../base/random.ts'
import type { PlanRole, PlanStep } from '../../schema/graph/plan.ts'
import { digest } from '../../text/canonical-json.ts'
import { AgentError } from '../../text/errors.ts'
import { anonymise, candidatesContext, type Work } from '../vote.ts'
import { mergeFiles } from '../work-context.ts'
import { askStep, type Context, type Inputs } from './ask-step.ts'
import type { GraphLog, StepDone } from './graph-log.ts'

type Choosing = Extract<PlanRole, { kind: 'choose' }>
type Request = Parameters<typeof askStep>[2]

interface Candidate extends Work {
  name: string
}

/**
 * Lets a referee choose among candidates, and takes over the files and the reply of the winner. The referee reads them under
 * letters, in an order that the plan's seed and the replies decide. A candidate that gave nothing takes no part; if one is left, it wins.
 */
export async function chooseCandidate(
  context: Context,
  step: PlanStep,
  choosing: Choosing,
  { log, inputs, prompt, show }: Request & { log: GraphLog; inputs: Inputs },
): Promise<StepDone> {
  const candidates = await candidatesOf(context, choosing, log)
  const [only] = candidates
  if (!only) throw nothingToChoose(step, choosing, { log, inputs })
  const choice =
    candidates.length === 1
      ? { winner: only, reason: 'the only candidate', order: [only.name] }
      : await choose(context, step, candidates, { seed: log.plan.seed, prompt, show })
  const { winner, reason, order } = choice
  context.workspace.adopt(winner.workspace)
  log.keepChoice(step.id, { winner: winner.name, reason, order })
  return { text: winner.reply, workspace: context.workspace }
}

/** Returns the candidates that ended, each with its files, in a branch of the referee, since its own branches have ended. */
function candidatesOf({ branch }: Context, { candidates }: Choosing, log: GraphLog): Promise<Candidate[]> {
  const ended = Object.entries(candidates).flatMap(([name, id]) => {
    const first = log.done.get(id)
    const ends = log.endsOf(id).flatMap((end) => log.done.get(end) ?? [])
    return first && ends.length > 0 ? [{ name, first, ends }] : []
  })
  return Promise.all(
    ended.map(({ name, first, ends }) =>
      branch(name, async ({ workspace }) => {
        // What the last steps of a candidate changed is told from where they began.
        workspace.adopt(first.workspace)
        mergeFiles(
          workspace,
          ends.map((end) => end.workspace),
        )
        const reply = ends.at(-1)?.text ?? first.text
        return { name, reply, workspace, checks: await workspace.check() }
      }),
    ),
  )
}

async function choose(
  context: Context,
  step: PlanStep,
  candidates: readonly Candidate[],
  { seed, prompt, show }: Request & { seed: number },
) {
  // The context's own numbers depend on the whole plan, such as its concurrency, which must change no prompt.
  const replies = candidates.map(({ reply }) => reply)
  const shown = anonymise(candidates, seededRandom(digest({ seed, step: step.id, replies })))
  const shape = z.object({ reason: z.string(), winner: z.enum(shown.map(({ letter }) => letter)) })
  const request = { prompt: `${prompt}\n\n${words}`, show: { ...show, ...candidatesContext(shown) } }
  const { winner, reason } = await askStep(context, step, request, shape)
  const chosen = shown.find(({ letter }) => letter === winner)
  if (!chosen) throw new Error(`no candidate is called ${winner}`)
  return { winner: chosen.work, reason, order: shown.map(({ work }) => work.name) }
}

const words = 'Name the best of the candidates below by its letter. Their order means nothing.'

/** Returns the failure of a referee without candidates: that of the first candidate. */
function nothingToChoose(
  { id }: PlanStep,
  { candidates }: Choosing,
  { log, inputs }: { log: GraphLog; inputs: Inputs },
): AgentError {
  const errors = Object.values(candidates).flatMap((one) => {
    const input = inputs.get(log.lastOf(one))
    return input?.status === 'failed' && input.error instanceof AgentError ? [input.error] : []
  })
  const why = `[graph] step "${id}" has no candidate to choose from`
  return new AgentError(errors[0]?.reason ?? 'empty', `${why}: ${errors[0]?.message ?? 'none has replied'}`)
}
