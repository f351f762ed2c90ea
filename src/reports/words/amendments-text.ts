import type { Amendment, Change, Extension } from '../../schema/run/amendment.ts'
import type { SkippedItems } from '../../schema/run/run.ts'
import { counted, listed, present } from './numbers.ts'

const mostNamed = 3

/** Says how the plan of a run was changed, in one line; null if it was not. */
export function amendmentsText(amendments: readonly Amendment[]): string | null {
  if (amendments.length === 0) return null
  const texts = amendments.map(
    ({ at, records, planned, changes, extended }) =>
      `${[...extensionTexts(extended), ...(changes.length > 0 ? [changesText(changes)] : [])].join(', ')} during the run, after ${records} of ${counted(planned.before, 'trial')} (${at.slice(0, 10)})`,
  )
  if (amendments.every(({ extended }) => extended))
    return `${texts.join('; ')}: what the run had before is as it was.`
  return `${texts.join('; ')}: trials before and after a change are not compared with each other. A task with a version, NAME@VERSION, is the task since a change.`
}

/** Says what the plan of a run has since an extension, beside added tasks. */
function extensionTexts({ epochs, methods, agentSets }: Extension = {}): string[] {
  const names = (all: readonly { label: string }[]) => all.map(({ label }) => label).join(', ')
  return present([
    epochs !== undefined && `extended to ${counted(epochs, 'epoch')}`,
    methods && `extended to the methods ${names(methods)}`,
    agentSets && `extended to the sets of agents ${names(agentSets)}`,
  ])
}

/** Lists changes: `2 tasks (a, b) and 1 agent (scripted:x.mjs) changed, 1 task (c) was added`. */
export function changesText(changes: readonly Change[]): string {
  const named = (kind: Change['kind'], wanted: (change: Change) => boolean = () => true) => {
    const names = changes.filter((one) => one.kind === kind && wanted(one)).map(({ name }) => name)
    if (names.length === 0) return undefined
    const more = names.length > mostNamed ? ', …' : ''
    return {
      count: names.length,
      text: `${counted(names.length, kind)} (${names.slice(0, mostNamed).join(', ')}${more})`,
    }
  }
  const changed = [
    named('task', ({ before, after }) => before !== '' && after !== ''),
    named('agent'),
    named('method'),
  ].flatMap((part) => (part ? [part.text] : []))
  const [added, gone] = [
    named('task', ({ before }) => before === ''),
    named('task', ({ after }) => after === ''),
  ]
  const was = ({ count, text }: { count: number; text: string }) => `${text} ${count === 1 ? 'was' : 'were'}`
  return present([
    changed.length > 0 && `${listed(changed)} changed`,
    added && `${was(added)} added`,
    gone && `${was(gone)} removed`,
  ]).join(', ')
}

/** Says of each source of tasks how many of its items were left out, and which. */
export const skippedTexts = (skipped: readonly SkippedItems[]): string[] =>
  skipped.map(({ source, count, items = [] }) => {
    const named = items.slice(0, mostNamed).map(({ where, what }) => `${where} ${what}`)
    const more = count > named.length ? '; …' : ''
    const which = named.length > 0 ? `: ${named.join('; ')}${more}` : '.'
    return `Left out by --skip-invalid: ${count} of the tasks of ${source}, which could not be read${which}`
  })
