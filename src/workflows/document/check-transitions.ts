import { didYouMean } from '../../text/near-word.ts'
import { type Add, asMap, type RawMap, suggestName } from '../../yaml/raw.ts'
import type { Site } from './list-states.ts'

/** The transitions of a type of state. */
interface Labels {
  required: readonly string[]
  optional: readonly string[]
}

const labels: Readonly<Record<string, Labels>> = {
  'fan-out': { required: ['all_success', 'all_failure'], optional: ['partial_success'] },
  single: { required: ['success', 'failure'], optional: [] },
  gate: { required: ['proceed', 'retry', 'halt'], optional: ['failure'] },
  'orchestrator-task': { required: ['success', 'failure'], optional: [] },
  'human-approval': { required: ['approved', 'feedback', 'abort'], optional: [] },
}

/** Whether a state of a type has transitions. */
export const hasTransitions = (type: unknown): boolean =>
  typeof type === 'string' && Object.hasOwn(labels, type)

/** Words that people write for a transition. */
const meant: Readonly<Record<string, readonly string[]>> = {
  success: ['all_success', 'proceed', 'approved'],
  partial: ['partial_success'],
  failure: ['all_failure', 'halt', 'abort'],
  failed: ['failure', 'all_failure'],
  error: ['failure', 'all_failure'],
  done: ['success', 'all_success', 'proceed'],
  next: ['success', 'all_success', 'proceed', 'approved'],
  pass: ['proceed', 'success'],
  fail: ['retry', 'failure'],
  yes: ['approved'],
  no: ['feedback'],
  approve: ['approved'],
  reject: ['feedback', 'retry'],
  rejected: ['feedback', 'retry'],
  cancel: ['abort'],
}

/** Reports missing and unknown transitions of states, and those that lead nowhere. */
export function checkTransitions(sites: readonly Site[], names: readonly string[], add: Add): void {
  for (const site of sites) {
    const transitions = asMap(site.node.transitions)
    const kind = site.isGate ? 'gate' : (site.type ?? '')
    const known = Object.hasOwn(labels, kind) ? labels[kind] : undefined
    if (known && transitions) checkLabels(site, transitions, known, add)
    else if (known && site.node.transitions !== undefined)
      add(
        [...site.path, 'transitions'],
        'must be a map with a state for each result',
        `Write \`transitions: { ${known.required.map((label) => `${label}: STATE`).join(', ')} }\`.`,
      )
    checkWork(site, add)
    for (const { to, path } of site.edges)
      if (!names.includes(to))
        add(path, `there is no state "${to}"`, suggestName(to, names, 'Define it under states.'))
  }
}

/** A state with the transitions of a gate judges. */
function checkWork({ isGate, node, path }: Site, add: Add): void {
  if (isGate && typeof node.work === 'string' && node.work !== 'judge')
    add([...path, 'work'], `is ${node.work}, but a quality gate judges`, 'Remove it.')
}

function checkLabels(site: Site, transitions: RawMap, { required, optional }: Labels, add: Add): void {
  const all = [...required, ...optional]
  const free = all.filter((label) => !Object.hasOwn(transitions, label))
  const taken = new Set<string>()
  for (const [label, to] of Object.entries(transitions)) {
    const path = [...site.path, 'transitions', label]
    if (!all.includes(label)) {
      const word = (Object.hasOwn(meant, label) ? meant[label] : undefined)?.find((one) => free.includes(one))
      const near = free.find((one) => didYouMean(label, [one]) !== undefined)
      const instead = word ?? near
      if (instead !== undefined) taken.add(instead)
      const fix =
        instead === undefined ? `Remove it, or use one of ${all.join(', ')}.` : `Write ${instead} instead.`
      add(path, `is no transition of a ${site.isGate ? 'quality gate' : `state of type ${site.type}`}`, fix)
    } else if (typeof to !== 'string' || to === '')
      add(path, 'must be the name of a state', `Write ${label}: and the name alone.`)
  }
  for (const label of required)
    if (free.includes(label) && !taken.has(label))
      add([...site.path, 'transitions', label], 'is missing', missingFix(site, label))
}

function missingFix({ type, isGate, edges }: Site, label: string): string {
  const gate =
    type === 'single' && !isGate && edges.length === 0 ? ' A quality gate has proceed, retry and halt.' : ''
  return `Write ${label}: with the name of a state.${gate}`
}
