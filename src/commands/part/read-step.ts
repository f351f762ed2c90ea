import { unknownName } from '../../loop/plan/unknown-name.ts'
import type { Machine } from '../../schema/machine/machine-file.ts'
import { type Problem, problemAt, UserError } from '../../text/errors.ts'
import { didYouMean } from '../../text/near-word.ts'
import {
  isSure,
  listOutputs,
  listStates,
  matching,
  type Output,
  type Site,
} from '../../workflows/document/list-states.ts'
import { asList, asMap, asText } from '../../yaml/raw.ts'
import { readDocumentFile } from '../methods/documents.ts'

/** Types of states in which nothing runs. */
const idle = ['initial', 'terminal']

/**
 * Reads `--input PATH=FILE` of a state. Returns the texts by path. Throws `UserError` with every problem of state and inputs, and with
 * those that were found before.
 */
export function readStep(
  machine: Machine,
  file: string,
  name: string,
  given: readonly string[],
  before: readonly Problem[] = [],
): Record<string, string> {
  const sites = listStates(machine)
  const site = sites.find((one) => one.name === name)
  const runnable = sites.filter(({ type = '' }) => !idle.includes(type)).map((one) => one.name)
  if (!site)
    throw new UserError([
      ...before,
      unknownName(file, 'state', name, runnable, `bench methods fanout:${file}`),
    ])
  if (idle.includes(site.type ?? ''))
    throw new UserError([
      ...before,
      {
        where: `${file} ${name}`,
        what: `is the ${site.type} state, in which no agent works`,
        fix: `Use one of ${runnable.join(', ')}.`,
      },
    ])
  const problems: Problem[] = [...before]
  const reads = readsOf(site, sites)
  const inputs = readInputs(given, site, reads, problems)
  problems.push(...missingInputs(site, reads, sites, Object.keys(inputs)))
  if (problems.length > 0) throw new UserError(problems)
  return inputs
}

/** A pattern that a state reads, with the outputs that match it. */
interface Read {
  pattern: string
  /** Whether the state fails without it. */
  isValidated: boolean
  outputs: Output[]
}

function readsOf(site: Site, sites: readonly Site[]): Read[] {
  const all = listOutputs(sites)
  const validated = asList(site.node.on_enter).flatMap((action) => asText(asMap(action)?.validate) ?? [])
  const patterns = new Set([...site.inputs.map(({ pattern }) => pattern), ...validated])
  patterns.delete('task')
  return [...patterns].map((pattern) => ({
    pattern,
    isValidated: validated.includes(pattern),
    outputs: matching(pattern, all),
  }))
}

function readInputs(
  given: readonly string[],
  site: Site,
  reads: readonly Read[],
  problems: Problem[],
): Record<string, string> {
  const known = [...new Set(reads.flatMap(({ outputs }) => outputs.map(({ file }) => file)))]
  const inputs: Record<string, string> = {}
  for (const text of given) {
    const where = `--input ${text}`
    const [, path = '', file = ''] = /^([^=]+)=(.+)$/s.exec(text) ?? []
    if (path === '')
      problems.push(problemAt(where, 'is not PATH=FILE', 'Write for example --input drafts/ada.md=draft.md.'))
    else if (Object.hasOwn(inputs, path))
      problems.push({ where, what: `gives ${path} twice`, fix: 'Give each input one file.' })
    else if (!known.includes(path)) problems.push({ where, ...unknownInput(path, site, known) })
    else inputs[path] = readInput(file, where, problems)
  }
  return inputs
}

function unknownInput(path: string, { name }: Site, known: readonly string[]): Omit<Problem, 'where'> {
  if (path === 'task')
    return { what: 'is the task, which is not a file of a state', fix: 'Use --task NAME or --request TEXT.' }
  return {
    what: `state ${name} does not read ${path}`,
    fix:
      known.length === 0
        ? 'Remove it: it reads nothing.'
        : (didYouMean(path, known) ?? `It reads ${known.join(', ')}.`),
  }
}

function readInput(file: string, where: string, problems: Problem[]): string {
  try {
    return readDocumentFile(file)
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    problems.push(
      ...error.problems.map((problem) => ({ ...problem, where, what: `${file}: ${problem.what}` })),
    )
    return ''
  }
}

/** Reports the inputs without which the state never begins in a whole run, or fails. */
function missingInputs(
  site: Site,
  reads: readonly Read[],
  sites: readonly Site[],
  given: readonly string[],
): Problem[] {
  return reads.flatMap(({ pattern, isValidated, outputs }) => {
    const isNeeded = isValidated || outputs.some((output) => isSure(output, site, sites))
    const files = outputs.map(({ file }) => file)
    if (!isNeeded || files.some((file) => given.includes(file))) return []
    const fix = `Add ${files.map((file) => `--input ${file}=FILE`).join(' and ')}${files.length > 1 ? ', or one of them' : ''}.`
    return [{ where: `--input`, what: `state ${site.name} needs ${pattern}`, fix }]
  })
}
