import { findLabel } from '../../loop/plan/method-text.ts'
import { unknownName } from '../../loop/plan/unknown-name.ts'
import { Budget, type Budgets, type BudgetUnit, type LimitUse } from '../../schema/limits.ts'
import { flagOf } from '../../schema/settings/settings.ts'
import type { Problem } from '../../text/errors.ts'
import { shellWord } from '../../text/shell-word.ts'
import { parseDecimal } from '../values/parse-values.ts'
import type { RunOptions } from './run-options.ts'

/** A limit from the command line; `amount` null lifts it. */
export interface BudgetOption {
  where: string
  /** Label of a method; `*` is every method; undefined is the run. */
  method?: string
  unit: BudgetUnit
  amount: number | null
}

/** The options that limit the run, by unit. */
export const runLimitOptions = [
  { unit: 'costUsd', option: 'maxCost', example: '5' },
  { unit: 'tokens', option: 'maxTokens', example: '1000000' },
  { unit: 'calls', option: 'maxCalls', example: '500' },
  { unit: 'timeMs', option: 'maxTime', example: '3600 for an hour' },
] as const

/** Returns the flag that limits the run in a unit. */
export const runLimitFlag = (unit: BudgetUnit): string =>
  runLimitOptions.flatMap((limit) => (limit.unit === unit ? [flagOf(limit.option)] : [])).join('')

/** Returns the option that raises a limit which has stopped the run or a method. */
export function raiseLimitFlag({ method, limit }: LimitUse): string {
  if (method !== undefined) return `--method-limit ${shellWord(`${method}.${limit}=MORE`)}`
  return `${runLimitFlag(limit)} MORE`
}

/** Parses the limits of the run and of its methods. Adds all mistakes to `problems`. */
export function parseBudgets(problems: Problem[], options: RunOptions): BudgetOption[] {
  const given: BudgetOption[] = []
  for (const { option, unit, example } of runLimitOptions) {
    const text = options[option]
    if (text === undefined) continue
    const flag = flagOf(option)
    const where = `${flag} ${text}`
    const fix = `Write for example ${flag} ${example}, or ${flag} none for no limit.`
    const amount = parseAmount(problems, { where, text, unit, fix })
    if (amount !== undefined) given.push({ where, unit, amount: toMilliseconds(unit, amount) })
  }
  return [...given, ...parseMethodLimits(problems, options.methodLimit)]
}

/** Returns the limits `before` with the new limits applied. Adds a problem for an unknown method. */
export function applyBudgetOptions(
  problems: Problem[],
  before: Budgets,
  given: readonly BudgetOption[],
  labels: readonly string[],
): Budgets {
  const budgets: Budgets = structuredClone(before)
  for (const { where, method, unit, amount } of given) {
    const label = method === undefined ? undefined : findLabel(method, labels)
    if (method !== undefined && method !== '*' && label === undefined) {
      problems.push(unknownName(where, 'method of this run', method, labels, '--methods'))
      continue
    }
    const named = method === '*' ? labels : label === undefined ? [] : [label]
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
  const units = Object.keys(Budget.shape) as BudgetUnit[]
  const seen = new Set<string>()
  return text.split(/,(?![^[\]]*\])/).flatMap((part): BudgetOption[] => {
    const where = `--method-limit ${part.trim()}`
    const fix = `Known: ${units.join(', ')}. Write for example costUsd=2 for each method, sequential.tokens=100000 for one, or tokens=none for no limit.`
    const [, method = '*', name = '', amountText = ''] =
      /^\s*(?:(.+)\.)?(\w+)\s*=\s*([^=\]]*)$/.exec(part) ?? []
    const unit = units.find((known) => known === name)
    const key = `${method}.${unit}`
    if (unit && !seen.has(key)) {
      seen.add(key)
      const amount = parseAmount(problems, { where, text: amountText, unit, fix })
      return amount === undefined ? [] : [{ where, method, unit, amount }]
    }
    const unknown = name === '' ? 'is not METHOD.limit=amount' : `there is no method limit "${name}"`
    problems.push(
      unit
        ? { where, what: 'sets the same limit twice', fix: 'Give each limit once.' }
        : { where, what: unknown, fix },
    )
    return []
  })
}

/** Parses a number above 0, which is whole if its unit is. Returns null for `none`. Adds a problem and returns undefined otherwise. */
function parseAmount(
  problems: Problem[],
  { where, text, unit, fix }: { where: string; text: string; unit: BudgetUnit; fix: string },
): number | null | undefined {
  if (text.trim() === 'none') return null
  const amount = parseDecimal(text)
  if (Budget.shape[unit].safeParse(amount).success) return amount
  const whole = unit === 'calls' || unit === 'tokens'
  problems.push({ where, what: `is not a ${whole ? 'whole ' : ''}number above 0`, fix })
  return undefined
}

/** Times are seconds on the command line and milliseconds everywhere else. */
function toMilliseconds(unit: BudgetUnit, amount: number | null): number | null {
  return amount === null || unit !== 'timeMs' ? amount : amount * 1000
}
