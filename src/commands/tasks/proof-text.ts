import {
  isFlaky,
  type ProofFault,
  type ProofState,
  type ProofWarning,
  type TaskProof,
  type Tried,
} from '../../loop/proof/proof-round.ts'
import { counted } from '../../reports/words/numbers.ts'
import { safeLine } from '../../reports/words/safe-text.ts'
import { wrapWords } from '../../text/wrap-words.ts'
import { fittingTable } from '../terminal/terminal-width.ts'

interface Done {
  rounds: number
  /** The most generated errors of a task. */
  generate: number
}

/** Most warnings and survivors that are printed; JSON has all. */
const mostListed = 20

/** Most lines that are printed of what the run of a task gave; JSON has all. */
const mostDetails = 6

const headings = {
  task: 'task',
  reference: 'reference',
  nothing: 'no-op',
  mutants: 'mutants',
  generated: 'generated',
  result: 'result',
} as const

/** Returns the table of proofs, what is wrong, what a person should look at, and how many tasks are proved. */
export function proofText(proofs: readonly TaskProof[], done: Done, width: number): string {
  const rows = proofs.map((proof) => ({
    task: proof.task,
    reference: wordOf(proof.reference, 'passes', 'FAILS'),
    nothing: wordOf(proof.nothing, 'PASSES', 'fails'),
    mutants: shareText(Object.values(proof.mutants ?? {})),
    generated: proof.generated?.tried
      ? `${proof.generated.tried - proof.generated.survivors.length}/${proof.generated.tried}`
      : '',
    result: resultText(proof),
  }))
  const open = proofs.filter(({ state }) => state !== 'proved')
  const survivors = proofs.flatMap(({ task, generated }) =>
    (generated?.survivors ?? []).map((label) => `${task}: ${label}`),
  )
  const warnings = proofs.flatMap(({ task, warnings }) => warnings.map((one) => ({ task, ...one })))
  const parts = [
    fittingTable(width, headings, rows, 'task'),
    open.flatMap((proof) => proof.faults.flatMap((fault) => faultLines(proof, fault, width))),
    survivorLines(survivors),
    warningLines(warnings),
    summaryLines(proofs, done),
  ]
  const [table = [], ...texts] = parts
  const wrapped = texts.filter((lines) => lines.length > 0).map((lines) => wrapAll(lines, width))
  return `${[table, ...wrapped].map((lines) => lines.join('\n')).join('\n\n')}\n`
}

const isUnjudged = ({ warnings }: TaskProof) => warnings.some(({ kind }) => kind === 'unjudged')

function resultText(proof: TaskProof): string {
  if (proof.state === 'failed') return 'FAILED'
  return proof.state === 'proved' && isUnjudged(proof) ? 'proved, not judged' : proof.state
}

function faultLines({ task, state }: TaskProof, { what, details, fix }: ProofFault, width: number): string[] {
  const indent = '    '
  const lines = details
    .split('\n')
    .filter(Boolean)
    .flatMap((line) => wrapWords(safeLine(line.trimEnd()), width - indent.length))
  const more = lines.length - mostDetails
  return [
    `${state === 'failed' ? 'FAILED' : state}  ${task}: ${what}`,
    ...lines.slice(0, mostDetails).map((line) => indent + line),
    ...(more > 0 ? [`${indent}… and ${counted(more, 'more line', 'more lines')}; --json has all`] : []),
    ...(fix === '' ? [] : [`  ${fix}`]),
  ]
}

const wrapAll = (lines: readonly string[], width: number) =>
  lines.flatMap((line) => {
    const indent = /^ */.exec(line)?.[0] ?? ''
    return wrapWords(safeLine(line.trim()), width - indent.length).map((one) => indent + one)
  })

function wordOf(one: Tried | undefined, passes: string, fails: string): string {
  if (!one) return ''
  if (isFlaky(one)) return 'flaky'
  return one.passed[0] ? passes : fails
}

const shareText = (all: readonly Tried[]) =>
  all.length === 0 ? '' : `${all.filter(({ passed }) => !passed.includes(true)).length}/${all.length}`

function survivorLines(survivors: readonly string[]): string[] {
  if (survivors.length === 0) return []
  return [
    'Generated mutants that pass. Each means the same as the reference, or shows a rule that no test checks; it is no fault of the grader:',
    ...listed(survivors),
  ]
}

const titles: Readonly<Record<ProofWarning['kind'], string>> = {
  unjudged:
    'Tasks that judges grade. The proof asks no judge: it shows that the reference is there and an empty answer fails, not that a judge tells good work from bad. Not tried:',
  'one-process': 'Tests that run in one process with the solution:',
  'checks-fail': 'Visible checks that the reference fails:',
  'seen-test':
    'Hidden tests that agents see. This is allowed, but such a test measures nothing that a method cannot check itself:',
  'seen-answer': 'Answers in the instruction. It may be by chance:',
  'seen-solution': 'Lines of the solution in the instruction:',
}

function warningLines(warnings: readonly (ProofWarning & { task: string })[]): string[] {
  return (Object.keys(titles) as ProofWarning['kind'][]).flatMap((kind) => {
    const own = warnings.filter((one) => one.kind === kind)
    return own.length === 0 ? [] : [titles[kind], ...listed(own.map(({ task, text }) => `${task}: ${text}`))]
  })
}

function listed(lines: readonly string[]): string[] {
  const more = lines.length - mostListed
  return [
    ...lines.slice(0, mostListed).map((line) => `  ${line}`),
    ...(more > 0 ? [`  … and ${more} more; --json lists them`] : []),
  ]
}

function summaryLines(proofs: readonly TaskProof[], { rounds, generate }: Done): string[] {
  const count = (state: ProofState) => proofs.filter((proof) => proof.state === state).length
  const unjudged = proofs.filter((proof) => proof.state === 'proved' && isUnjudged(proof)).length
  const others = [
    ...(unjudged > 0 ? [`, ${unjudged} of them without judges`] : []),
    ...(['failed', 'flaky', 'not run'] as const)
      .filter((state) => count(state) > 0)
      .map((state) => `, ${count(state)} ${state}`),
  ]
  const own = proofs.some(({ mutants }) => mutants)
    ? 'mutants and an empty answer fail'
    : 'an empty answer fails'
  const how =
    rounds === 1 ? 'in one round' : 'in two rounds, the second in another order of tasks and test files'
  const tried = proofs.reduce((sum, { generated }) => sum + (generated?.tried ?? 0), 0)
  const survived = proofs.reduce((sum, { generated }) => sum + (generated?.survivors.length ?? 0), 0)
  return [
    `${count('proved')} of ${counted(proofs.length, 'task')} proved${others.join('')}. Proved means: the reference solves it, ${own}, ${how}.`,
    ...(generate > 0 && tried > 0
      ? [
          `${tried - survived} of ${counted(tried, 'generated mutant')} ${tried === 1 ? 'fails' : 'fail'}, each tried once.`,
        ]
      : []),
    wordsLine(proofs),
  ]
}

function wordsLine(proofs: readonly TaskProof[]): string {
  const words = [
    'no-op: handing in nothing',
    ...(proofs.some(({ mutants }) => mutants) ? ['mutants: wrong solutions that come with the task'] : []),
    ...(proofs.some(({ generated }) => generated)
      ? ['generated: small errors that bench makes in the reference']
      : []),
  ]
  return `Columns: ${words.join('; ')}.`
}
