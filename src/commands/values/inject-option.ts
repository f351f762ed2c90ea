import { unknownName } from '../../loop/plan/unknown-name.ts'
import { FaultKind, type FaultRates, type Faults, sumOf } from '../../schema/agent/faults.ts'
import type { Problem } from '../../text/errors.ts'
import { parseDecimal } from './parse-values.ts'

/**
 * Parses `--inject` texts: `timeout=0.05,malformed=0.05`, or `auditor:empty=0.1` for one role. The rates of a role override
 * the rates for all roles. Adds all mistakes to `problems`. Returns undefined if all rates are 0.
 */
export function parseFaults(
  problems: Problem[],
  texts: readonly string[],
  roles: readonly string[],
): Faults | undefined {
  const ratesByRole = new Map<string, FaultRates>()
  for (const text of texts) {
    const where = `--inject ${text}`
    const equals = text.indexOf('=')
    const colon = text.slice(0, Math.max(equals, 0)).indexOf(':')
    const role = colon < 0 ? '*' : text.slice(0, colon).trim()
    if (role !== '*' && roles.length > 0 && !roles.includes(role))
      problems.push(unknownName(where, 'role', role, roles, 'bench methods NAME'))
    const rates = ratesByRole.get(role) ?? {}
    for (const pair of text.slice(colon + 1).split(',')) addRate(problems, where, pair, rates)
    ratesByRole.set(role, rates)
  }
  const all = ratesByRole.get('*') ?? {}
  const faults = Object.fromEntries([...ratesByRole].map(([role, rates]) => [role, { ...all, ...rates }]))
  for (const [role, rates] of Object.entries(faults))
    if (sumOf(rates) > 1 + 1e-9)
      problems.push({
        where: '--inject',
        what: `the rates ${role === '*' ? 'for all roles' : `of role "${role}"`} add up to ${Number(sumOf(rates).toFixed(6))}`,
        fix: 'A call gets at most one fault: give rates that add up to 1 or less.',
      })
  return Object.values(faults).some((rates) => sumOf(rates) > 0) ? faults : undefined
}

function addRate(problems: Problem[], where: string, pair: string, rates: FaultRates): void {
  const [name = '', value = ''] = pair.split(/=(.*)/s).map((part) => part.trim())
  const kind = FaultKind.options.find((one) => one === name)
  const rate = parseDecimal(value)
  if (kind === undefined && name.includes(':'))
    problems.push({
      where,
      what: `names a second role in "${name}"`,
      fix: `Write another --inject ${pair.trim()}.`,
    })
  else if (kind === undefined)
    problems.push(unknownName(where, 'kind of fault', name, FaultKind.options, 'bench agents'))
  else if (!(rate >= 0 && rate <= 1))
    problems.push({
      where,
      what: `the rate of "${name}" is ${value === '' ? 'missing' : `"${value}"`}`,
      fix: `Write a share of calls from 0 to 1, for example ${name}=0.05.`,
    })
  else if (rates[kind] !== undefined)
    problems.push({ where, what: `gives "${name}" two rates`, fix: 'Give each kind one rate.' })
  else rates[kind] = rate
}
