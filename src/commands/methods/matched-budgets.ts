import { type KnownStrategy, parseMethod, unknownName } from '../../loop/plan/method-spec.ts'
import { matchUnits } from '../../schema/ledger/budget-match.ts'
import type { Method } from '../../schema/ledger/trial.ts'
import type { Problem } from '../../text/errors.ts'

/** One ask: what an attempt of a matched budget costs. */
export const isSingleAskBaseline = ({ strategy, options, match }: Method) =>
  strategy === 'baseline' && options.turns === 1 && match === undefined

/**
 * Gives every method that matches another one's spend its baseline, which joins the plan where it is not in it. Adds all
 * that is wrong to `problems`: no such method, one that matches itself or another match, or a unit that is none.
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
      what: `another method is labelled "${baseline.label}", which a matched budget needs for its attempts`,
      fix: 'Give that one another label.',
    })
  const labels = new Set(methods.filter(({ match }) => !match).map(({ label }) => label))
  const all = methods.map((method) => {
    const { match, label } = method
    if (!match) return method
    const where = `--methods ${label}`
    if (!labels.has(match.method)) problems.push(missingMatchProblem(where, match.method, methods))
    if (!matchUnits.includes(match.unit))
      problems.push({
        where,
        what: `"${match.unit}" is no unit of a budget`,
        fix: `Write ${match.method}:tokens, or ${matchUnits.slice(1).join(' or ')}.`,
      })
    return { ...method, match: { ...match, baseline: baseline.label } }
  })
  return own ? all : [baseline, ...all]
}

/** What to write where a method matches one that the run does not have, or that is a match itself. */
function missingMatchProblem(where: string, wanted: string, methods: readonly Method[]): Problem {
  const labels = methods.filter(({ match }) => !match).map(({ label }) => label)
  const problem = unknownName(where, 'method to match', wanted, labels, '--methods')
  if (methods.some(({ label }) => label === wanted))
    return { ...problem, fix: 'Match one that matches none itself.' }
  const labelled = methods.find(({ strategy, match }) => strategy === wanted && !match)
  if (labelled) return { ...problem, fix: `Write its label: match=${labelled.label}.` }
  if (/^Did you mean/.test(problem.fix ?? '')) return problem
  const others = labels.length > 0 ? `, or match ${labels.join(' or ')}` : ' as well'
  return { ...problem, fix: `Add it to --methods${others}.` }
}

/** The label that the others are compared with: as `--baseline` says, else the plain baseline, else the first method. */
export function selectBaseline(
  label: string | undefined,
  methods: readonly Method[],
  problems: Problem[],
): string | null {
  if (label === undefined) return (methods.find(isSingleAskBaseline) ?? methods[0])?.label ?? null
  if (!methods.some((method) => method.label === label))
    problems.push(
      unknownName(
        `--baseline ${label}`,
        'chosen method',
        label,
        methods.map((method) => method.label),
        '--methods',
      ),
    )
  return label
}
