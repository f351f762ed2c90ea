import { referenceOf } from '../../agents/reference.ts'
import type { Task } from '../../schema/task.ts'
import {
  isFlaky,
  type ProofFault,
  type ProofWarning,
  type Round,
  type TaskProof,
  type Tried,
  type Verdict,
} from './proof-round.ts'

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

function tried(verdicts: readonly Verdict[], wanted: boolean): Tried {
  const decisive = verdicts.find(({ passed }) => passed !== wanted) ?? verdicts[0]
  return { passed: verdicts.map(({ passed }) => passed), reason: decisive?.reason ?? '' }
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

/** A shorter line of a solution, such as `return total`, may stand in an instruction by chance. */
const shortestLine = 20

/** Returns what a task's visible texts show of its hidden ones: a test, the answer, or lines of the solution. */
export function textWarnings(task: Task): ProofWarning[] {
  return [...seenTests(task), ...seenAnswer(task), ...seenLines(task)]
}

function seenTests({ checks, files, hidden }: Task): ProofWarning[] {
  const visible = new Map(
    [
      ...Object.entries(files),
      ...Object.entries(checks).map(([path, text]) => [`checks/${path}`, text] as const),
    ].map(([path, text]) => [text.trim(), path]),
  )
  return Object.entries(hidden.tests).flatMap(([path, text]): ProofWarning[] => {
    // Packages beside the tests have licences that many projects have.
    const seen = text.trim() === '' || path.startsWith('node_modules/') ? undefined : visible.get(text.trim())
    if (seen === undefined) return []
    return [{ kind: 'seen-test', text: `the hidden tests/${path} is equal to ${seen}, which agents see` }]
  })
}

function seenAnswer(task: Task): ProofWarning[] {
  const { instruction, spec } = task
  // The options of a choice stand in its instruction.
  if (
    spec.output !== 'answer' ||
    spec.graders.some(({ kind }) => !['exact', 'numeric', 'math'].includes(kind))
  )
    return []
  const reference = referenceOf(task)
  const answer = reference && 'answer' in reference ? reference.answer.trim() : ''
  if (answer.length < 3 || !holdsWord(instruction.toLowerCase(), answer.toLowerCase())) return []
  return [{ kind: 'seen-answer', text: 'its instruction contains the answer' }]
}

/** Whether a text holds a word that is not a part of a longer one. */
function holdsWord(text: string, word: string): boolean {
  const isPart = (char: string | undefined) => char !== undefined && /[\p{L}\p{N}_]/u.test(char)
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1))
    if (!isPart(text[at - 1]) && !isPart(text[at + word.length])) return true
  return false
}

function seenLines({ instruction, files, hidden }: Task): ProofWarning[] {
  const linesOf = (text: string) => text.split('\n').map((line) => line.trim())
  const instructed = new Set(linesOf(instruction))
  const given = new Set(Object.values(files).flatMap(linesOf))
  for (const [path, text] of Object.entries(hidden.solution?.files ?? {})) {
    const seen = linesOf(text).filter(
      (line) => line.length >= shortestLine && instructed.has(line) && !given.has(line),
    )
    if (seen.length > 0)
      return [
        {
          kind: 'seen-solution',
          text: `its instruction contains ${seen.length === 1 ? 'a line' : `${seen.length} lines`} of solution/${path}: ${seen[0]}`,
        },
      ]
  }
  return []
}
