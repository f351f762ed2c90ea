import pMap from 'p-map'
import { seededRandom, shuffled } from '../../base/random.ts'
import { isGradable } from '../../graders/grade.ts'
import { ReferenceFault } from '../../graders/tests.ts'
import type { SandboxRun } from '../../sandbox/sandbox.ts'
import type { Task } from '../../schema/task.ts'
import { InfrastructureError } from '../../text/errors.ts'
import { brokenProof, joinRounds } from './join-rounds.ts'
import { type ProofFault, proofRound, type Round, type TaskProof } from './proof-round.ts'

interface ProofOptions {
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
type Outcome = { rounds: Round[] } | { fault: ProofFault; isReference?: true }

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
  return tasks.map((task) => {
    const outcome = outcomes.get(task) as Outcome
    return 'fault' in outcome
      ? brokenProof(task, outcome.fault, outcome.isReference)
      : joinRounds(task, outcome.rounds)
  })
}

const startOf = (task: Task): Outcome =>
  task.hidden.solution && isGradable(task)
    ? { rounds: [] }
    : {
        fault: {
          what: 'it has no reference solution to prove it with',
          details: '',
          fix: referenceRemedy(task),
        },
      }

/** Where a reference is written: for a row of a table, whose place ends in its line, in that row. */
function referenceRemedy({ origin, spec: { graders } }: Task): string {
  if (!/:\d+$/.test(origin)) return 'Add files in solution/, or solution/answer.txt.'
  const column = graders.some(({ kind }) => kind === 'pattern')
    ? 'an answer that its pattern matches, in a column "example"'
    : 'a good answer, in the column of answers'
  return `Write into ${origin} ${column}.`
}

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
    if (error instanceof ReferenceFault) {
      const { what, details } = error
      return {
        fault: { what, details, fix: 'Correct the reference or the hidden tests.' },
        isReference: true,
      }
    }
    return {
      fault: { what: 'it cannot be graded', details: error.message.replace(`${task.ref}: `, ''), fix: '' },
    }
  }
}
