import { UserError } from '../../text/errors.ts'
import { type Add, asMap, asText, type RawMap, suggestName } from '../../yaml/raw.ts'
import type { Site } from './list-sites.ts'
import { checkReference, primitivesOf } from './references.ts'

/** Reports mistakes of the run: its workflow, its placement, its input. `sites` are those of all workflows. */
export function checkRun(
  document: RawMap,
  sites: readonly Site[],
  lineOf: (path: readonly PropertyKey[]) => string,
  read: (path: string) => string | undefined,
  add: Add,
): void {
  const run = asMap(document.run)
  if (!run) return
  const workflows = primitivesOf(document, 'workflow')
  const names = Object.keys(workflows ?? {})
  checkReference(document, 'workflow', run.workflow_ref, ['run', 'workflow_ref'], add)
  const inlineId = asText(asMap(run.workflow)?.id)
  if (inlineId !== undefined && names.includes(inlineId))
    add(
      ['run', 'workflow', 'id'],
      `there is also a workflow "${inlineId}" under workflows`,
      'Rename one of them.',
    )
  if (run.workflow !== undefined && run.workflow_ref !== undefined)
    add(
      ['run', 'workflow'],
      `the run has a workflow here and a workflow_ref in line ${lineOf(['run', 'workflow_ref'])}`,
      'Remove one of them.',
    )
  if (run.workflow === undefined && run.workflow_ref === undefined && workflows)
    add(
      ['run'],
      'names no workflow',
      names.length > 0
        ? `Write workflow_ref: ${names.join(' or ')}.`
        : 'Write a workflow under workflows, and its name as workflow_ref.',
    )
  checkPlacement(document, sites, add)
  checkInputFile(asText(asMap(run.input)?.file), read, add)
}

function checkInputFile(
  file: string | undefined,
  read: (path: string) => string | undefined,
  add: Add,
): void {
  if (file === undefined || file === '') return
  const at = ['run', 'input', 'file']
  try {
    const text = read(file)
    if (text === undefined)
      add(at, `there is no file "${file}"`, 'Give the path of a text file, relative to the working folder.')
    else if (text === '') add(at, `the file "${file}" is empty`, 'Write what the steps read into it.')
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    for (const { what, fix } of error.problems)
      add(at, `the file "${file}" ${what}`, fix ?? 'Give the path of a text file.')
  }
}

function checkPlacement(document: RawMap, sites: readonly Site[], add: Add): void {
  const placement = asMap(asMap(document.run)?.placement)
  const path = ['run', 'placement']
  checkReference(document, 'provider', placement?.provider, [...path, 'provider'], add)
  // A slot of a pattern has the names of all that is around it, too.
  const names = new Set(sites.flatMap((site) => site.names))
  const isClear = sites.length > 0 && !sites.some(({ pattern }) => pattern === '?')
  const nested = new Map(
    sites.flatMap(({ id, names, inside }) => (id && inside ? [[id, names[0] ?? '']] : [])),
  )
  for (const [name, value] of Object.entries(asMap(placement?.steps) ?? {})) {
    const at = [...path, 'steps', name]
    const place = asMap(value)
    checkReference(document, 'provider', place?.provider, [...at, 'provider'], add)
    checkReference(document, 'agent', place?.agent, [...at, 'agent'], add)
    if (place && Object.keys(place).length === 0)
      add(at, 'names neither a provider nor an agent', 'Write provider: or agent:, or remove it.')
    const inner = nested.get(name)
    if (names.has(name) || isRound(name, sites) || !isClear) continue
    if (inner) add(at, `"${name}" is inside a pattern`, `Write ${inner}.`)
    else add(at, `there is no step "${name}"`, suggestName(name, [...names], 'Remove it.'))
  }
}

/** Whether a name is that of one round of a debater. */
function isRound(name: string, sites: readonly Site[]): boolean {
  const [, slot, round] = /^(.+)::r(\d+)$/.exec(name) ?? []
  return sites.some(({ names, inside }) => {
    if (names[0] !== slot || round !== String(Number(round)) || round === '0') return false
    const rounds = inside?.site.node.rounds
    if (inside?.slot === 'debaters') return Number(round) <= (typeof rounds === 'number' ? rounds : 2)
    return inside?.slot === 'boss' && round === '1'
  })
}
