import { canonicalJson, digest } from '../../text/canonical-json.ts'
import type { RunManifest } from './run.ts'

type Field = keyof RunManifest

/** What of these fields of run.json the shards of one run have in common; of any other field everything. */
const partly: { [Name in Field]?: (value: NonNullable<RunManifest[Name]>) => unknown } = {
  versions: ({ bench }) => bench,
  skipInvalid: (sources) => sources.map(({ count }) => count),
  methods: (methods) => methods.map(({ file: _, ...method }) => method),
  endpoints: (addresses) => Object.entries(addresses).map(([agent, address]) => [agent, placeOf(address)]),
  harness: ({ graders, code }) => ({ graders, code }),
}

/** What may differ between shards: their part, times, places, and what belongs to a session or a machine. */
const free: ReadonlySet<Field> = new Set<Field>([
  ...(['id', 'createdAt', 'note', 'git', 'cwd', 'taskSelectors', 'guessedGraders', 'graderFiles'] as const),
  ...([
    'providers',
    'config',
    'keepWorkspaces',
    'verdicts',
    'trials',
    'shard',
    'joined',
    'queue',
    'sum',
  ] as const),
])

/** A server on the machine itself is at another address on each. */
const placeOf = (address: string) =>
  /^https?:\/\/(?:localhost|127\.[\d.]+|\[::1\])(?=[:/]|$)/i.test(address) ? 'this machine' : address

function commonFields(manifest: RunManifest): Partial<Record<Field, unknown>> {
  const fields = (Object.keys(manifest) as Field[]).flatMap((name) => {
    const value = manifest[name]
    const part = partly[name] as ((value: unknown) => unknown) | undefined
    if (free.has(name) || value === undefined || value === null) return []
    return [[name, part ? part(value) : value]]
  })
  return Object.fromEntries(fields)
}

/** Returns the id of a whole run: a digest of all that its shards have in common. */
export const wholeRunId = (manifest: RunManifest): string => digest(commonFields(manifest)).slice(0, 24)

/** Returns the first thing in which two runs differ that shards of one run have in common: `seed (1 and 2)`; undefined without one. */
export function firstDifference(a: RunManifest, b: RunManifest): string | undefined {
  const [ofA, ofB] = [commonFields(a), commonFields(b)]
  const name = (Object.keys({ ...ofA, ...ofB }) as Field[]).find(
    (name) => canonicalJson(ofA[name] ?? null) !== canonicalJson(ofB[name] ?? null),
  )
  if (name === 'tasks') return `task ${differingTask(a, b)}`
  if (name === undefined) return undefined
  const values = [ofA[name], ofB[name]].map((value) => (typeof value === 'object' ? '' : String(value)))
  return values.every((value) => value !== '' && value.length < 40)
    ? `${name} (${values.join(' and ')})`
    : name
}

/** Returns the name of the first task that only one run has, or that is not the same in both. */
function differingTask(a: RunManifest, b: RunManifest): string {
  const line = ({ ref, digest }: RunManifest['tasks'][number]) => `${ref} ${digest}`
  const [inA, inB] = [a, b].map(({ tasks }) => new Set(tasks.map(line)))
  const other = a.tasks.find((task) => !inB?.has(line(task))) ?? b.tasks.find((task) => !inA?.has(line(task)))
  return other?.ref ?? 'order'
}
