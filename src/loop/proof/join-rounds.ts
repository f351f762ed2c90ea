import type { Task } from '../../schema/task.ts'
import type { Round, Verdict } from './proof-round.ts'
import { isFlaky, type ProofFault, type TaskProof, type Tried } from './task-proof.ts'
import { textWarnings } from './text-warnings.ts'

/** Returns the proof of a task that could not be graded. `isReference`: its own reference showed it. */
export function brokenProof(task: Task, fault: ProofFault, isReference = false): TaskProof {
  const reference = { passed: [false], reason: `${fault.what}: ${fault.details}` }
  return {
    task: task.ref,
    state: 'failed',
    faults: [fault],
    ...(isReference && { reference }),
    warnings: textWarnings(task),
  }
}

/** Joins the rounds of a task into its proof. */
export function joinRounds(task: Task, rounds: readonly Round[]): TaskProof {
  const [first] = rounds
  const triedAs = (verdictIn: (round: Round) => Verdict, wanted: boolean) =>
    tried(rounds.map(verdictIn), wanted)
  const reference = triedAs((round) => round.reference, true)
  const nothing = triedAs((round) => round.nothing, false)
  const names = Object.keys(first?.mutants ?? {})
  const mutants = Object.fromEntries(
    names.map((name) => [name, triedAs((round) => round.mutants[name] as Verdict, false)]),
  )
  const faults = [
    ...(reference.passed.includes(false) ? [referenceFails(reference)] : []),
    ...(nothing.passed.includes(true) ? [emptyPasses(nothing)] : []),
    ...Object.entries(mutants)
      .filter(([, one]) => one.passed.includes(true))
      .map(([name, one]) => mutantPasses(name, one)),
  ]
  const all = [reference, nothing, ...Object.values(mutants)]
  return {
    task: task.ref,
    state: faults.length === 0 ? 'proved' : all.some(isFlaky) ? 'flaky' : 'failed',
    faults,
    ...{ reference, nothing },
    ...(names.length > 0 && { mutants }),
    ...(first?.generated && { generated: first.generated }),
    warnings: [...(first?.warnings ?? []), ...textWarnings(task)],
  }
}

/** Joins the verdicts of all rounds on one submission. */
function tried(verdicts: readonly Verdict[], wanted: boolean): Tried {
  const told = verdicts.find(({ passed }) => passed !== wanted) ?? verdicts[0]
  return { passed: verdicts.map(({ passed }) => passed), reason: told?.reason ?? '' }
}

const flakyFix = 'Find what differs between equal runs: a clock, chance, or the order of the test files.'
const timesText = (one: Tried, verb: string) =>
  isFlaky(one) ? `${verb} in one of ${one.passed.length} runs` : verb
const fixOf = (one: Tried, fix: string) => (isFlaky(one) ? flakyFix : fix)

const referenceFails = (one: Tried): ProofFault => ({
  what: `its reference ${timesText(one, 'fails')}`,
  details: one.reason,
  fix: fixOf(one, 'Correct the reference, or what grades it.'),
})

const emptyPasses = (one: Tried): ProofFault => ({
  what: `an empty answer ${timesText(one, 'passes')}`,
  details: '',
  fix: fixOf(one, 'Grade something that the untouched files do not do.'),
})

const mutantPasses = (name: string, one: Tried): ProofFault => ({
  what: `its mutant ${name} ${timesText(one, 'passes')}`,
  details: '',
  fix: fixOf(one, 'Add a test that it fails, or remove it if it is right.'),
})
