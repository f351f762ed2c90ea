import { dataCleaner } from '../../replies/clean-data.ts'
import type { DeedStep, StageDeed } from '../../schema/ledger/stage-step.ts'
import { callKey, turnKey } from '../../schema/ledger/turn-key.ts'
import type { StageAnswer } from '../../schema/stage/protocol.ts'
import type { Files } from '../../schema/task.ts'
import { canonicalJson, digest } from '../../text/canonical-json.ts'
import { InfrastructureError } from '../../text/errors.ts'
import type { Hands, OpenHands, Seat } from '../ask/hands.ts'
import { storedEdits } from '../ask/reply-edits.ts'
import { stepHead, takeBranchStep, writeStep } from '../branch/recorded-steps.ts'
import type { Branch } from '../branch/trial-state.ts'
import { applyEdits } from '../branch/workspace.ts'
import { stepName } from '../journal/ledger-index.ts'
import { performRequest } from './perform-request.ts'
import { openSession } from './session.ts'

interface HandsFacts {
  role: string
  /** The roles that it may ask. */
  roles: readonly string[]
  /** The server of its tools. */
  files: Files
}

/**
 * Gives a program that directs others its stage. What it does is written before it is done, each deed with a key of its own below that of
 * the ask; a later session, or a replay, does it again from there, by the code that answers the socket. The program itself begins anew,
 * and is told what is done.
 */
export function openHands(branch: Branch, ask: string, { role, roles, files }: HandsFacts): Hands {
  const { trialState } = branch
  const { journal } = trialState.run
  const clean = dataCleaner(trialState.run.redact)
  const done: { deed: StageDeed; answer: StageAnswer }[] = []
  let count = 0
  const isTimed = trialState.plan.trial.cell.limits.timeMs !== undefined
  const keyOf = (attempt: number, number: number) => callKey(turnKey(ask, attempt), number)

  const keep = (attempt: number, deed: StageDeed) => {
    if (trialState.journal.secret)
      throw new InfrastructureError(
        `an agent that directs others cannot work beside one that knows the solution: the ledger must not hold what ${role} says of it`,
      )
    const head = stepHead(trialState, 'deed', keyOf(attempt, ++count), digest(deed), branch.clock)
    const step: DeedStep = { ...head, role, deed }
    writeStep(trialState, step)
    // Like a paid reply, it is written before it is used.
    journal?.callEnded()
  }
  const again = async (key: string, deed: StageDeed) => {
    if ('changes' in deed)
      return applyEdits(branch.state, storedEdits(trialState, key, deed.changes), 'folder')
    done.push({ deed, answer: await performRequest(branch, deed, files) })
  }

  return {
    async repeat(attempt) {
      count = 0
      for (;;) {
        const key = keyOf(attempt, count + 1)
        const known = trialState.journal.recorded?.steps.get(stepName(key, 1))
        if (known?.kind !== 'deed') return
        takeBranchStep(branch, key, 1, known.hash, () => canonicalJson(known.deed))
        count++
        await again(key, known.deed)
      }
    },
    withCalls: (prompt) => withCalls(prompt, done),
    finished: () => branch.stage?.director?.finished,
    open(attempt, seat): OpenHands {
      const stopper = new AbortController()
      let failure: Error | undefined
      const stop = (error: Error) => {
        failure ??= error
        stopper.abort()
      }
      const directing = {
        keep: (deed: StageDeed) => keep(attempt, deed),
        whileWaiting: async (deed: StageDeed, work: () => Promise<StageAnswer>) => {
          const answer = clean(await withoutSeat(seat, work))
          done.push({ deed, answer })
          journal?.callEnded()
          return answer
        },
      }
      const session = openSession(
        branch,
        { id: branch.stage?.id ?? role, roles, programs: files, directing },
        stop,
      )
      return {
        stage: {
          parts: {
            files,
            state: '{}',
            open(folder) {
              const host = session.open(folder)
              // Under a limit of time whom it waits for uses the same time.
              return isTimed ? { ...host, waitedMs: () => 0 } : host
            },
          },
          waitedMs: session.waitedMs,
        },
        signal: stopper.signal,
        failure: () => failure,
        close: session.close,
      }
    },
  }
}

/** Waits for others without a place among the calls in flight: with one place alone nobody else could be asked. */
async function withoutSeat<Value>(seat: Seat, work: () => Promise<Value>): Promise<Value> {
  seat.leave()
  try {
    return await work()
  } finally {
    await seat.take()
  }
}

function withCalls(prompt: string, done: readonly { deed: StageDeed; answer: StageAnswer }[]): string {
  if (done.length === 0) return prompt
  const calls = done.map(
    ({ deed, answer }, at) =>
      `### Call ${at + 1}\n${canonicalJson(deed)}\n\n${'reply' in answer ? textOf(answer.reply) : `It failed: ${answer.error.message}`}`,
  )
  return `${prompt}\n\n## What you have done so far\nYou were interrupted. These calls are done, with their results. Do not make them again; go on with the next.\n\n${calls.join('\n\n')}`
}

const textOf = (reply: unknown) => (typeof reply === 'string' ? reply : JSON.stringify(reply))
