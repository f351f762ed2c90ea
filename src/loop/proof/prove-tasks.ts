import pMap from 'p-map'
import { seededRandom, shuffled } from '../../base/random.ts'
import { isGradable } from '../../graders/grade.ts'
import type { SandboxRun } from '../../sandbox/sandbox.ts'
import type { Task } from '../../schema/task.ts'
import { InfrastructureError } from '../../text/errors.ts'
import { proofRound, type Round, type Verdict } from './proof-round.ts'
import { isFlaky, type TaskProof, type Tried } from './task-proof.ts'
import { textWarnings } from './text-warnings.ts'

/** How to prove tasks. */
export interface ProofOptions {
  run: SandboxRun
  signal: AbortSignal
  /** How many tasks are proved at the same time. */
  concurrency: number
  /** Grades everything once more, in another order. */
  twice: boolean
  /** The most errors to generate in each reference. */
  generate: number
  /** Draws the order of the second round. */
  seed: number
  /** Called before the first task of a round and after each task. */
  onProgress?(round: number, done: number, of: number): void
}

/** What the rounds of one task gave: verdicts, or why it cannot be graded. */
type Outcome = { rounds: Round[] } | { fault: string }

/**
 * Proves tasks: each reference passes, handing in nothing fails, and so does each of the task's own mutants; in a second round
 * again, with tasks, submissions and test files in another order.
 */
export async function proveTasks(tasks: readonly Task[], options: ProofOptions): Promise<TaskProof[]> {
  const { concurrency, twice, seed } = options
  const outcomes = new Map<Task, Outcome>(tasks.map((task) => [task, startOf(task)]))
  for (const round of twice ? [1, 2] : [1]) {
    const left = tasks.filter((task) => 'rounds' in (outcomes.get(task) as Outcome))
    const order = round === 1 ? left : shuffled(left, seededRandom(`proof/${seed}`))
    let done = 0
    options.onProgress?.(round, done, left.length)
    const next = async (task: Task) => {
      const shuffle = round === 1 ? undefined : `proof/${seed}/${task.ref}`
      outcomes.set(task, await addRound(task, outcomes.get(task) as Outcome, { ...options, shuffle }))
      options.onProgress?.(round, ++done, left.length)
    }
    await pMap(order, next, { concurrency })
  }
  return tasks.map((task) => proofOf(task, outcomes.get(task) as Outcome))
}

const startOf = (task: Task): Outcome =>
  task.hidden.solution && isGradable(task)
    ? { rounds: [] }
    : { fault: 'it has no reference solution that could prove it' }

async function addRound(
  task: Task,
  before: Outcome,
  options: ProofOptions & { shuffle: string | undefined },
): Promise<Outcome> {
  try {
    const round = await proofRound(task, options)
    return { rounds: [...('rounds' in before ? before.rounds : []), round] }
  } catch (error) {
    if (!(error instanceof InfrastructureError)) throw error
    return { fault: `it cannot be graded: ${error.message.replace(`${task.ref}: `, '')}` }
  }
}

function proofOf(task: Task, outcome: Outcome): TaskProof {
  const warnings = textWarnings(task)
  if ('fault' in outcome) return { task: task.ref, state: 'failed', reason: outcome.fault, warnings }
  const { rounds } = outcome
  const [first] = rounds
  const reference = tried(
    rounds.map((round) => round.reference),
    true,
  )
  const nothing = tried(
    rounds.map((round) => round.nothing),
    false,
  )
  const mutants = Object.fromEntries(
    Object.keys(task.hidden.mutants ?? {}).map((name) => [
      name,
      tried(
        rounds.map((round) => round.mutants[name] as Verdict),
        false,
      ),
    ]),
  )
  const wrong = [
    ...(reference.passed.includes(false)
      ? [`its reference ${timesText(reference, 'fails')}: ${reference.reason}`]
      : []),
    ...(nothing.passed.includes(true) ? [`an empty answer ${timesText(nothing, 'passes')}`] : []),
    ...Object.entries(mutants)
      .filter(([, one]) => one.passed.includes(true))
      .map(([name, one]) => `its mutant ${name} ${timesText(one, 'passes')}`),
  ]
  const all = [reference, nothing, ...Object.values(mutants)]
  return {
    task: task.ref,
    state: wrong.length === 0 ? 'proved' : all.some(isFlaky) ? 'flaky' : 'failed',
    reason: wrong.join('; '),
    ...{ reference, nothing },
    ...(Object.keys(mutants).length > 0 && { mutants }),
    ...(first?.generated && { generated: first.generated }),
    warnings: [...(first?.warnings ?? []), ...warnings],
  }
}

/** Joins the verdicts of all rounds on one submission. */
function tried(verdicts: readonly Verdict[], wanted: boolean): Tried {
  const told = verdicts.find(({ passed }) => passed !== wanted) ?? verdicts[0]
  return { passed: verdicts.map(({ passed }) => passed), reason: told?.reason ?? '' }
}

const timesText = (one: Tried, verb: string) =>
  isFlaky(one) ? `${verb} in one of ${one.passed.length} runs` : verb
