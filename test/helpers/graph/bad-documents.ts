import { tableOf } from '../house/tables.ts'

/** The parts that documents share. */
const { primitives = '', flow = '' } = tableOf<Record<string, string>>(import.meta.url, 'shared')

/** A whole text, or the steps of a workflow. */
type Written = string | { steps: string; kind?: string; run?: string }

function documentOf(written: Written): string {
  if (typeof written === 'string')
    return written.replace('{primitives}', () => primitives).replace('{flow}', () => flow)
  const { steps, kind = 'sequential', run = 'run: { workflow_ref: main }' } = written
  return `version: "0.5"
${primitives}workflows:
  main:
    kind: ${kind}
    steps:
${steps.replace(/^/gm, '      ')}
${run}
`
}

/** Documents with mistakes, by what the mistakes are about. */
export const badDocuments = Object.fromEntries(
  Object.entries(tableOf<Record<string, Record<string, Written>>>(import.meta.url, 'badDocuments')).map(
    ([about, documents]) => [
      about,
      Object.entries(documents).map(([name, written]) => [name, documentOf(written)] as const),
    ],
  ),
)
