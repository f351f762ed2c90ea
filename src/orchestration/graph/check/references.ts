import { type Add, asMap, asText, type Path, type RawMap, suggestName } from '../../../yaml/raw.ts'

type Primitive = 'provider' | 'tool' | 'agent' | 'task' | 'workflow'

const maps: Readonly<Record<Primitive, string>> = {
  provider: 'providers',
  tool: 'tools',
  agent: 'agents',
  task: 'tasks',
  workflow: 'workflows',
}

/** Returns the primitives of one kind, by id. */
export const primitivesOf = (document: RawMap, kind: Primitive): RawMap | undefined =>
  document[maps[kind]] === undefined ? {} : asMap(document[maps[kind]])

/** Returns the entries of a map that are maps; the schema reports the others. */
export const entries = (value: unknown): [string, RawMap][] =>
  Object.entries(asMap(value) ?? {}).flatMap(([key, inner]) => {
    const map = asMap(inner)
    return map ? [[key, map]] : []
  })

/** Reports a name that no primitive of this kind has. A name or a map that is none is the schema's matter. */
export function checkReference(
  document: RawMap,
  kind: Primitive,
  name: unknown,
  path: Path,
  add: Add,
  ifNone = `Define it under ${maps[kind]}.`,
): void {
  const known = primitivesOf(document, kind)
  const word = asText(name)
  if (!known || word === undefined || word === '' || Object.hasOwn(known, word)) return
  // Without any, a required map is missing, which the schema reports.
  if (document[maps[kind]] === undefined && (kind === 'agent' || kind === 'task')) return
  const other = (Object.keys(maps) as Primitive[]).find((one) =>
    Object.hasOwn(primitivesOf(document, one) ?? {}, word),
  )
  const fix = suggestName(word, Object.keys(known), ifNone)
  add(
    path,
    `there is no ${kind} "${word}"${other ? `; it is ${other === 'agent' ? 'an' : 'a'} ${other}` : ''}`,
    fix,
  )
}
