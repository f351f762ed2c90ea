import type { KnownStrategy } from '../../loop/plan/method-options.ts'
import { parseMethod } from '../../loop/plan/method-spec.ts'
import { findLabel } from '../../loop/plan/method-text.ts'
import { isSingleAskBaseline } from '../../loop/plan/row-agents.ts'
import { unknownName } from '../../loop/plan/unknown-name.ts'
import { type BudgetMatch, matchUnits } from '../../schema/ledger/budget-match.ts'
import type { Method } from '../../schema/ledger/trial.ts'
import type { Problem } from '../../text/errors.ts'

/**
 * Gives every method that matches another method's spending its baseline, and adds the baseline to the plan if it is missing.
 * Adds mistakes to `problems`: an unknown method, a method that matches itself or another match, or an unknown unit.
 */
export function addMatchBaseline(
  methods: readonly Method[],
  known: readonly KnownStrategy[],
  problems: Problem[],
): Method[] {
  if (methods.every(({ match }) => match === undefined)) return [...methods]
  const own = methods.find(isSingleAskBaseline)
  const parsed = own ? { method: own } : parseMethod('baseline', known)
  if ('problems' in parsed) {
    problems.push(...parsed.problems)
    return [...methods]
  }
  const baseline = parsed.method
  if (!own && methods.some(({ label }) => label === baseline.label))
    problems.push({
      where: '--methods',
      what: `another method has the label "${baseline.label}", which is reserved for the baseline of a matched budget`,
      fix: 'Give that method another label.',
    })
  const labels = methods.filter(({ match }) => !match).map(({ label }) => label)
  const all = methods.map((method) => {
    const { match: given, strategy, label } = method
    if (!given) return method
    const unit = given.unit === 'tokens' ? '' : `:${given.unit}`
    // `retry=sequential` is shown, but `--methods` does not take it.
    const where = `--methods ${label.includes('=') ? `${strategy}[match=${given.method}${unit}]` : label}`
    const match = matchedLabel(given, labels)
    if (!labels.includes(match.method)) problems.push(missingMatchProblem(where, match.method, methods))
    if (!matchUnits.includes(match.unit))
      problems.push({
        where,
        what: `"${match.unit}" is not a unit of a budget`,
        fix: `Write ${match.method}:tokens, or ${matchUnits.slice(1).join(' or ')}.`,
      })
    return { ...method, match: { ...match, baseline: baseline.label } }
  })
  return own ? all : [baseline, ...all]
}

/** Returns the match with the label of the matched method. A text after a colon may be its document instead of a unit. */
function matchedLabel(match: BudgetMatch, labels: readonly string[]): BudgetMatch {
  const whole = matchUnits.includes(match.unit)
    ? undefined
    : findLabel(`${match.method}:${match.unit}`, labels)
  if (whole !== undefined) return { ...match, method: whole, unit: 'tokens' }
  return { ...match, method: findLabel(match.method, labels) ?? match.method }
}

function missingMatchProblem(where: string, wanted: string, methods: readonly Method[]): Problem {
  const labels = methods.filter(({ match }) => !match).map(({ label }) => label)
  const problem = unknownName(where, 'method to match', wanted, labels, '--methods')
  if (methods.some(({ label }) => label === wanted))
    return { ...problem, fix: 'Name a method that does not match another one.' }
  const labelled = methods.find(({ strategy, match }) => strategy === wanted && !match)
  if (labelled) return { ...problem, fix: `Write its label: match=${labelled.label}.` }
  if (/^Did you mean/.test(problem.fix ?? '')) return problem
  const others = labels.length > 0 ? `, or match ${labels.join(' or ')}` : ' as well'
  return { ...problem, fix: `Add it to --methods${others}.` }
}

/** Returns the label of the baseline: `--baseline`, else the baseline of one ask, else the first method. */
export function selectBaseline(
  label: string | undefined,
  methods: readonly Method[],
  problems: Problem[],
): string | null {
  if (label === undefined) return (methods.find(isSingleAskBaseline) ?? methods[0])?.label ?? null
  const labels = methods.map((method) => method.label)
  const found = findLabel(label, labels)
  if (found === undefined)
    problems.push(unknownName(`--baseline ${label}`, 'chosen method', label, labels, '--methods'))
  return found ?? label
}
