import { unknownName } from '../../loop/plan/method-spec.ts'
import { Budget, type Budgets, type LimitUse } from '../../schema/limits.ts'
import type { Problem } from '../../text/errors.ts'
import { shellWord } from '../../text/shell-word.ts'
import { parseDecimal } from '../values/parse-values.ts'
import type { RunOptions } from './run-options.ts'

type Unit = keyof Budget

/** A limit as it was given; null lifts it. */
interface BudgetOption {
  where: string
  /** Label; `*` stands for each method. Undefined: the run. */
  method?: string
  unit: Unit
  amount: number | null
}

const flags = [
  { flag: '--max-cost', option: 'maxCost', unit: 'costUsd', example: '5' },
  { flag: '--max-tokens', option: 'maxTokens', unit: 'tokens', example: '1000000' },
  { flag: '--max-calls', option: 'maxCalls', unit: 'calls', example: '500' },
  { flag: '--max-time', option: 'maxTime', unit: 'timeMs', example: '3600' },
] as const

/** How to raise a limit that has stopped something, as it may be typed. */
export function raiseLimitFlag({ method, limit }: LimitUse): string {
  if (method !== undefined) return `--method-limit ${shellWord(`${method}.${limit}=MORE`)}`
  return `${flags.find(({ unit }) => unit === limit)?.flag} MORE`
}

/** Reads the limits of the run and of its methods; adds all that is wrong with them. */
export function parseBudgets(problems: Problem[], options: RunOptions): BudgetOption[] {
  const given: BudgetOption[] = []
  for (const { flag, option, unit, example } of flags) {
    const text = options[option]
    if (text === undefined) continue
    const where = `${flag} ${text}`
    const fix = `Write for example ${flag} ${example}${unit === 'timeMs' ? ' for an hour' : ''}, or ${flag} none for no limit.`
    const amount = parseAmount(problems, { where, text, unit, fix })
    if (amount !== undefined) given.push({ where, unit, amount: toMilliseconds(unit, amount) })
  }
  return [...given, ...parseMethodLimits(problems, options.methodLimit)]
}

/** Limits in force with those that are given anew over them; adds a problem for a method that the run has not. */
export function applyBudgetOptions(
  problems: Problem[],
  before: Budgets,
  given: readonly BudgetOption[],
  labels: readonly string[],
): Budgets {
  const budgets: Budgets = structuredClone(before)
  for (const { where, method, unit, amount } of given) {
    if (method !== undefined && method !== '*' && !labels.includes(method)) {
      problems.push(unknownName(where, 'method of this run', method, labels, '--methods'))
      continue
    }
    const named = method === '*' ? labels : method === undefined ? [] : [method]
    for (const label of named) budgets.methods[label] ??= {}
    const changed = method === undefined ? [budgets.run] : named.map((label) => budgets.methods[label] ?? {})
    for (const limits of changed) {
      if (amount === null) delete limits[unit]
      else limits[unit] = amount
    }
  }
  budgets.methods = Object.fromEntries(
    Object.entries(budgets.methods).filter(([, limits]) => Object.keys(limits).length > 0),
  )
  return budgets
}

function parseMethodLimits(problems: Problem[], text: string | undefined): BudgetOption[] {
  if (text === undefined) return []
  const units = Object.keys(Budget.shape) as Unit[]
  const seen = new Set<string>()
  return text.split(/,(?![^[\]]*\])/).flatMap((part): BudgetOption[] => {
    const where = `--method-limit ${part.trim()}`
    const fix = `Known: ${units.join(', ')}; write for example costUsd=2 for each method, sequential.tokens=100000 for one, or tokens=none for no limit.`
    const [, method = '*', name = '', amountText = ''] =
      /^\s*(?:(.+)\.)?(\w+)\s*=\s*([^=\]]*)$/.exec(part) ?? []
    const unit = units.find((known) => known === name)
    if (!unit) {
      problems.push({
        where,
        what: name === '' ? 'is not METHOD.limit=amount' : `there is no limit "${name}" of a method`,
        fix,
      })
      return []
    }
    if (seen.has(`${method}.${unit}`)) {
      problems.push({
        where,
        what: 'sets a limit that stands before it already',
        fix: 'Give each limit once.',
      })
      return []
    }
    seen.add(`${method}.${unit}`)
    const amount = parseAmount(problems, { where, text: amountText, unit, fix })
    return amount === undefined ? [] : [{ where, method, unit, amount }]
  })
}

/** A number above 0, whole where its unit is; null for `none`; undefined with a problem for anything else. */
function parseAmount(
  problems: Problem[],
  { where, text, unit, fix }: { where: string; text: string; unit: Unit; fix: string },
): number | null | undefined {
  if (text.trim() === 'none') return null
  const amount = parseDecimal(text)
  if (Budget.shape[unit].safeParse(amount).success) return amount
  const whole = unit === 'calls' || unit === 'tokens'
  problems.push({ where, what: `is not a ${whole ? 'whole ' : ''}number above 0`, fix })
  return undefined
}

/** Seconds on the command line, milliseconds everywhere else. */
function toMilliseconds(unit: Unit, amount: number | null): number | null {
  return amount === null || unit !== 'timeMs' ? amount : amount * 1000
}
