import { canonicalJson, digest } from '../../text/canonical-json.ts'
import type { RunManifest } from './run.ts'

type Field = Exclude<keyof RunManifest, 'earlierTasks'>

/** How a field of run.json is compared: whole, by what the function returns of it, or not at all. */
type Rule<Value> = 'equal' | 'free' | ((value: Value) => unknown)

/** What the shards of one run have in common, and what may differ: times, machines, places, and addresses of one host. */
const rules: { [Name in Field]-?: Rule<NonNullable<RunManifest[Name]>> } = {
  schemaVersion: 'equal',
  id: 'free',
  createdAt: 'free',
  versions: ({ bench }) => bench,
  git: 'free',
  mode: 'equal',
  simulated: 'equal',
  recorded: 'equal',
  cwd: 'free',
  seed: 'equal',
  epochs: 'equal',
  taskSelectors: 'free',
  taskFilter: 'equal',
  tasks: 'equal',
  skipInvalid: (sources) => sources.map(({ count }) => count),
  guessedGraders: 'free',
  graderFiles: 'free',
  methods: (methods) => methods.map(({ file: _, ...method }) => method),
  agents: 'equal',
  agentDigests: 'equal',
  agentSets: 'equal',
  judges: 'equal',
  agentSettings: 'equal',
  providers: 'free',
  config: 'free',
  capture: 'equal',
  gradeCandidates: 'equal',
  keepWorkspaces: 'free',
  verdicts: 'free',
  profile: 'equal',
  limits: 'equal',
  usualLimits: 'equal',
  askLimits: 'equal',
  retries: 'equal',
  faults: 'equal',
  budgets: 'equal',
  allowUnpriced: 'equal',
  allowProviderTools: 'equal',
  endpoints: (addresses) => Object.entries(addresses).map(([agent, address]) => [agent, placeOf(address)]),
  agentVersions: 'equal',
  prices: 'equal',
  preamble: 'equal',
  bracket: 'equal',
  baseline: 'equal',
  comparison: 'equal',
  harness: ({ graders, code }) => ({ graders, code }),
  request: 'equal',
  secrets: 'equal',
  trials: 'free',
  shard: 'free',
  joined: 'free',
  sum: 'free',
}

/** A server on the machine itself is at another address on each. */
const placeOf = (address: string) =>
  /^https?:\/\/(?:localhost|127\.[\d.]+|\[::1\])(?=[:/]|$)/i.test(address) ? 'this machine' : address

type Common = Partial<Record<Field, unknown>>

function commonFields(manifest: RunManifest): Common {
  const fields = (Object.keys(rules) as Field[]).flatMap((name) => {
    const value = manifest[name]
    const rule = rules[name] as Rule<unknown>
    if (rule === 'free' || value === undefined || value === null) return []
    return [[name, rule === 'equal' ? value : rule(value)]]
  })
  return Object.fromEntries(fields)
}

/** Returns the id of a whole run: a digest of all that its shards have in common. */
export const wholeRunId = (manifest: RunManifest): string => digest(commonFields(manifest)).slice(0, 24)

/** Returns the first thing in which two runs differ that shards of one run have in common: `seed (1 and 2)`; undefined without one. */
export function firstDifference(a: RunManifest, b: RunManifest): string | undefined {
  const [ofA, ofB] = [commonFields(a), commonFields(b)]
  const name = (Object.keys(rules) as Field[]).find(
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
