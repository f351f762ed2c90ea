import { nameOf, providers } from '../agents/registry.ts'
import type { Finding } from './doctor-sandbox.ts'

/** What the doctor found, as people read it. */
interface Findings {
  /** Of the machine and of bench itself. */
  here: readonly Finding[]
  agents: readonly Finding[]
}

/** A line for each thing, and its remedy below where it is missing. Agents that nobody asked for share one line, unless `isWhole`. */
export function doctorText({ here, agents }: Findings, isWhole: boolean): string {
  const ready = agents.filter(({ ok }) => ok)
  const missing = agents.filter(({ ok }) => !ok)
  const shared = isWhole ? [] : missing.filter(({ name }) => offered.has(name))
  const free = providers.filter(({ settings }) => !settings).map(nameOf)
  const rows: Finding[] = [
    ...here,
    { name: 'agents', ok: true, state: `${free.join(', ')}: need no key and no program` },
    ...ready,
    // Those of the config file are wanted.
    ...missing.filter((finding) => !shared.includes(finding)),
    ...(shared.length > 0 ? [together(shared)] : []),
  ]
  return rows.map(line).join('')
}

const prefix = 'agent '
const offered = new Set(providers.map((provider) => `${prefix}${nameOf(provider)}`))

function together(findings: readonly Finding[]): Finding {
  const names = findings.map(({ name }) => name.slice(prefix.length)).join(', ')
  return {
    name: 'agents',
    ok: false,
    state: names,
    fix: 'bench doctor --agents says what each of them lacks, and how to get it.',
  }
}

function line({ name, ok, state, fix }: Finding): string {
  const remedy = fix && !ok ? `\n${' '.repeat(26)}${fix}` : ''
  return `${ok ? 'ok     ' : 'missing'}  ${name.padEnd(16)} ${state}${remedy}\n`
}
